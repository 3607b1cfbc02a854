#include "model/yaml/yaml_scalar.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

namespace ebb::model {
namespace {

constexpr std::array<std::string_view, 5> kNull = {"", "~", "null", "Null", "NULL"};
constexpr std::array<std::string_view, 11> kTrue = {"true", "True", "TRUE", "y",  "Y", "yes",
                                                    "Yes",  "YES",  "on",   "On", "ON"};
constexpr std::array<std::string_view, 11> kFalse = {"false", "False", "FALSE", "n",   "N",  "no",
                                                     "No",    "NO",    "off",   "Off", "OFF"};

template <std::size_t N>
bool is_one_of(std::string_view text, const std::array<std::string_view, N>& words) {
  for (const std::string_view word : words) {
    if (text == word) return true;
  }
  return false;
}

// The base given by a number's prefix; removes the prefix.
int take_base(std::string_view& digits) {
  if (digits.size() < 2 || digits.front() != '0') return 10;
  const char letter = digits[1];
  const int base = letter == 'x' || letter == 'X' ? 16 : letter == 'b' || letter == 'B' ? 2 : 8;
  const bool has_letter = base != 8 || letter == 'o' || letter == 'O';
  digits.remove_prefix(has_letter ? 2 : 1);
  return base;
}

std::optional<std::string> integer_as_json(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const int base = take_base(text);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  constexpr std::uint64_t kMostNegative = std::uint64_t{1} << 63;
  if (text.empty() || error != std::errc() || end != text.data() + text.size() ||
      (negative && value > kMostNegative)) {
    return std::nullopt;  // beyond 64 bits it may still be a decimal
  }
  return fmt::format("{}{}", negative && value != 0 ? "-" : "", value);
}

std::optional<std::string> decimal_as_json(std::string_view text) {
  // from_chars also accepts "inf" and "nan", which YAML spells differently.
  const bool has_digit = text.find_first_of("0123456789") != std::string_view::npos;
  const bool only_number = text.find_first_not_of("0123456789.eE+-") == std::string_view::npos;
  if (!has_digit || !only_number || text.starts_with("+-")) return std::nullopt;
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
    return std::nullopt;
  }
  return fmt::format("{}", value);
}

}  // namespace

std::optional<std::string> plain_scalar_as_json(std::string_view text) {
  if (is_one_of(text, kNull)) return "null";
  if (is_one_of(text, kTrue)) return "true";
  if (is_one_of(text, kFalse)) return "false";
  const char first = text.front();
  if (first != '-' && first != '+' && first != '.' && !(first >= '0' && first <= '9')) {
    return std::nullopt;
  }
  if (first == '.') return decimal_as_json(text);
  std::string digits(text);
  std::erase(digits, '_');
  if (auto integer = integer_as_json(digits)) return integer;
  return decimal_as_json(digits);
}

std::string json_quote(std::string_view text) {
  return boost::json::serialize(boost::json::string_view(text.data(), text.size()));
}

}  // namespace ebb::model
