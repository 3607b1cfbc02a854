#include "cli/common/values.h"

#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "hollow/duration.h"
#include "model/records/feature_gates.h"

namespace ebb::cli {
namespace {

template <class Number>
bool read(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

Result<std::uint16_t> parse_port(std::string_view option, std::string_view text) {
  std::uint16_t port = 0;
  if (read(text, port)) return port;
  return fail(ErrorCode::kUsage,
              fmt::format("{}: expected a number from 0 to 65535, got \"{}\"", option, text));
}

Result<int> parse_int(std::string_view option, std::string_view text, int least) {
  int number = 0;
  if (read(text, number) && number >= least) return number;
  return fail(
      ErrorCode::kUsage,
      fmt::format("{}: expected a whole number of {} or more, got \"{}\"", option, least, text));
}

Result<int> parse_int(std::string_view option, std::string_view text, int least, int most) {
  int number = 0;
  if (read(text, number) && number >= least && number <= most) return number;
  return fail(ErrorCode::kUsage,
              fmt::format("{}: expected a whole number from {} to {}, got \"{}\"", option, least,
                          most, text));
}

Result<double> parse_number(std::string_view option, std::string_view text) {
  constexpr double kMax = 1e9;
  double number = 0;
  if (read(text, number) && number >= 0 && number <= kMax) return number;
  return fail(ErrorCode::kUsage,
              fmt::format("{}: expected a number of 0 or more, got \"{}\"", option, text));
}

Result<Nanoseconds> parse_time_span(std::string_view option, std::string_view text) {
  const auto span = hollow::parse_duration(text);
  if (span && *span > 0) return *span;
  return fail(ErrorCode::kUsage,
              fmt::format("{}: expected a duration such as 15s, got \"{}\"", option, text));
}

Completion complete_feature_gates() {
  Completion gates;
  for (const std::string_view gate : model::kGateNames) {
    gates.words.push_back(fmt::format("{}=true", gate));
    gates.words.push_back(fmt::format("{}=false", gate));
  }
  return gates;
}

std::string feature_gates_help() {
  return fmt::format("Feature gates to set, as NAME=true|false,...; all are on by default: {}",
                     fmt::join(model::kGateNames, ", "));
}

}  // namespace ebb::cli
