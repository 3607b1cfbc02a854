#include "model/records/feature_gates.h"

#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ebb::model {
namespace {

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// The spellings that Kubernetes components accept.
std::optional<bool> parse_bool(std::string_view text) {
  for (const std::string_view yes : {"true", "True", "TRUE", "t", "T", "1"}) {
    if (text == yes) return true;
  }
  for (const std::string_view no : {"false", "False", "FALSE", "f", "F", "0"}) {
    if (text == no) return false;
  }
  return std::nullopt;
}

}  // namespace

Result<FeatureGates> FeatureGates::parse(std::string_view settings) {
  FeatureGates gates;
  while (!settings.empty()) {
    const auto comma = settings.find(',');
    const std::string_view setting = trim(settings.substr(0, comma));
    settings = comma == std::string_view::npos ? std::string_view() : settings.substr(comma + 1);
    if (setting.empty()) continue;

    const auto equals = setting.find('=');
    const std::string_view name = trim(setting.substr(0, equals));
    const auto known = std::find(kGateNames.begin(), kGateNames.end(), name);
    if (known == kGateNames.end()) {
      return fail(ErrorCode::kUsage, fmt::format("unknown feature gate \"{}\"; known gates: {}",
                                                 name, fmt::join(kGateNames, ", ")));
    }
    const std::string_view value =
        equals == std::string_view::npos ? std::string_view() : trim(setting.substr(equals + 1));
    const auto on = parse_bool(value);
    if (!on) {
      return fail(ErrorCode::kUsage,
                  fmt::format("feature gate {}: expected {}=true or {}=false, got \"{}\"", name,
                              name, name, setting));
    }
    gates.set(static_cast<Gate>(known - kGateNames.begin()), *on);
  }
  return gates;
}

}  // namespace ebb::model
