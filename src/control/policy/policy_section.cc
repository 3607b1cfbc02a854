#include "control/policy/policy_section.h"

#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "model/json/raw_json.h"

namespace ebb::control {
namespace {

namespace json = boost::json;

constexpr std::size_t kDeepest = 200;

}  // namespace

std::string_view section_text(const Policy& policy, std::string_view name) {
  return model::raw_member(model::raw_member(policy.json, "spec"), name);
}

Result<json::value> parse_section(std::string_view text, std::string_view where) {
  json::error_code error;
  json::parse_options options;
  options.max_depth = kDeepest;
  json::value value = json::parse(json::string_view(text), error, {}, options);
  if (error) return fail(ErrorCode::kInvalidInput, fmt::format("{}: must be valid JSON", where));
  return value;
}

}  // namespace ebb::control
