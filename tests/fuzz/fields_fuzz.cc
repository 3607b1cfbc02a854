// Fuzzes FieldsV1. A decoded set can be encoded and decoded again, and set operations on it are
// consistent.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "apiserver/managedfields/field_set.h"
#include "base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ebb::apiserver;
  const auto set = parse_fields_v1({reinterpret_cast<const char*>(data), size});
  if (!set) return 0;
  const std::string text = fields_v1(*set);
  const auto again = parse_fields_v1(text);
  EBB_CHECK(again && *again == *set);
  const auto own = parse_own_fields_v1(text);
  EBB_CHECK(own && *own == *set);
  EBB_CHECK(united(*set, *set) == *set && intersection(*set, *set) == *set);
  EBB_CHECK(difference(*set, *set).empty() && recursive_difference(*set, *set).empty());
  for (const std::string& path : path_texts(*set)) EBB_CHECK(!path.empty());
  return 0;
}
