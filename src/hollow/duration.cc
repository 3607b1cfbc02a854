#include "hollow/duration.h"

#include <charconv>

namespace ebb::hollow {
namespace {

constexpr double kYearNs = 365.0 * 24 * 3600 * 1e9;

std::optional<double> unit_ns(std::string_view unit) {
  if (unit == "ms") return 1e6;
  if (unit == "s") return 1e9;
  if (unit == "m") return 60e9;
  if (unit == "h") return 3600e9;
  return std::nullopt;
}

}  // namespace

std::optional<Nanoseconds> parse_duration(std::string_view text) {
  if (text == "0") return 0;
  if (text.empty()) return std::nullopt;
  double total_ns = 0;
  while (!text.empty()) {
    const std::size_t number_length = text.find_first_not_of("0123456789.");
    if (number_length == 0 || number_length == std::string_view::npos) return std::nullopt;
    double number = 0;
    const char* end = text.data() + number_length;
    const auto [stopped, error] =
        std::from_chars(text.data(), end, number, std::chars_format::fixed);
    if (error != std::errc{} || stopped != end) return std::nullopt;
    text.remove_prefix(number_length);

    const std::size_t unit_length = std::min(text.find_first_of("0123456789."), text.size());
    const std::optional<double> unit = unit_ns(text.substr(0, unit_length));
    if (!unit.has_value()) return std::nullopt;
    text.remove_prefix(unit_length);
    total_ns += number * *unit;
    if (total_ns > kYearNs) return std::nullopt;
  }
  return static_cast<Nanoseconds>(total_ns);
}

}  // namespace ebb::hollow
