#include "apiserver/request/time_limit.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>

namespace ebb::apiserver {
namespace {

using model::StatusOr;

constexpr double kMaxGoNs = 9.2e18;  // about 292 years

struct Unit {
  std::string_view name;
  double ns;
};
constexpr std::array kUnits = {
    Unit{"ns", 1},   Unit{"us", 1e3}, Unit{"\u00b5s", 1e3}, Unit{"\u03bcs", 1e3},
    Unit{"ms", 1e6}, Unit{"s", 1e9},  Unit{"m", 60e9},      Unit{"h", 3600e9},
};

std::string json_quoted(std::string_view text) {
  return boost::json::serialize(boost::json::value(text));
}

tl::unexpected<model::Status> refuse(std::string_view why, std::string_view text) {
  return tl::unexpected(model::bad_request(fmt::format(
      "invalid timeout specified in the request URL - time: {}{}", why, json_quoted(text))));
}

}  // namespace

StatusOr<Nanoseconds> parse_time_limit(const Query& query) {
  const auto found = query.find("timeout");
  if (found == query.end() || found->second.empty()) return kMaxTime;
  const std::string_view text = found->second;
  std::string_view rest = text;
  const bool is_negative = rest.starts_with('-');
  if (is_negative || rest.starts_with('+')) rest.remove_prefix(1);
  if (rest == "0") return kMaxTime;
  if (rest.empty()) return refuse("invalid duration ", text);
  double total_ns = 0;
  while (!rest.empty()) {
    const std::size_t digits = std::min(rest.find_first_not_of("0123456789."), rest.size());
    double number = 0;
    const char* const end = rest.data() + digits;
    const auto [stopped, error] =
        std::from_chars(rest.data(), end, number, std::chars_format::fixed);
    if (error != std::errc() || stopped != end) return refuse("invalid duration ", text);
    rest.remove_prefix(digits);
    const std::string_view name = rest.substr(0, rest.find_first_of("0123456789."));
    if (name.empty()) return refuse("missing unit in duration ", text);
    const auto* const unit = std::find_if(kUnits.begin(), kUnits.end(),
                                          [&](const Unit& one) { return one.name == name; });
    if (unit == kUnits.end()) {
      return refuse(fmt::format("unknown unit {} in duration ", json_quoted(name)), text);
    }
    rest.remove_prefix(name.size());
    total_ns += number * unit->ns;
    if (total_ns > kMaxGoNs) return refuse("invalid duration ", text);
  }
  const auto limit_ns = static_cast<Nanoseconds>(total_ns);
  return is_negative || limit_ns == 0 ? kMaxTime : std::min(limit_ns, kMaxTime);
}

}  // namespace ebb::apiserver
