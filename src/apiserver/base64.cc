#include "apiserver/base64.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace ebb::apiserver {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::uint8_t kNoDigit = 0xff;

constexpr std::array<std::uint8_t, 256> make_values() {
  std::array<std::uint8_t, 256> values{};
  values.fill(kNoDigit);
  for (std::size_t i = 0; i < kDigits.size(); ++i) {
    values[static_cast<unsigned char>(kDigits[i])] = static_cast<std::uint8_t>(i);
  }
  return values;
}
constexpr std::array<std::uint8_t, 256> kValues = make_values();

std::uint8_t value_of(char c) { return kValues[static_cast<unsigned char>(c)]; }

std::size_t count_digits(std::string_view text) {
  const auto* const end =
      std::find_if(text.begin(), text.end(), [](char c) { return value_of(c) == kNoDigit; });
  return static_cast<std::size_t>(end - text.begin());
}

}  // namespace

std::optional<std::size_t> canonicalise_base64(std::string& text) {
  text.erase(
      std::remove_if(text.begin(), text.end(), [](char c) { return c == '\r' || c == '\n'; }),
      text.end());
  const std::size_t digits = count_digits(text);
  const std::size_t padding = text.size() - digits;
  const bool is_padded = padding <= 2 && text.find_first_not_of('=', digits) == std::string::npos;
  if (!is_padded) return digits;
  if (text.size() % 4 != 0) return text.size();
  if (padding > 0) {
    // One sign of padding leaves two bits of the last digit unused, two leave four.
    char& last = text[digits - 1];
    const unsigned unused = padding == 1 ? 0x3 : 0xf;
    last = kDigits[value_of(last) & ~unused];
  }
  return std::nullopt;
}

}  // namespace ebb::apiserver
