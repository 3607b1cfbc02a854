// JSON in any state of disrepair. What begins with neither { nor [ is left to
// fuzz_yaml.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "accepted.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || (text[first] != '{' && text[first] != '[')) return -1;
  ebb::fuzz::check_reading(text);
  return 0;
}
