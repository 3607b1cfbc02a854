#include "cli/plan/policy_file.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <simdjson.h>

#include "apiserver/decode/decode.h"
#include "apiserver/validation/validate.h"
#include "cli/common/input.h"
#include "model/snapshot/read_snapshot.h"
#include "model/yaml/yaml_to_json.h"
#include "schema/core/json.h"
#include "schema/core/kind.h"

namespace ebb::cli {
namespace {

constexpr std::string_view kPolicyApiVersion = "ebb.dev/v1alpha1";
constexpr std::string_view kKind = "DownscalePolicy";

// Returns the errors that an API server would return.
Result<void> check(apiserver::ParsedJson parsed) {
  const schema::Kind& kind = *schema::find_kind(kPolicyApiVersion, kKind);
  auto decoded = apiserver::conform(kind, std::move(parsed), apiserver::FieldValidation::kStrict);
  if (!decoded) return fail(ErrorCode::kInvalidInput, decoded.error().message);
  apiserver::apply_defaults(*kind.schema, decoded->object);
  // A file without a namespace is applied to the target's namespace.
  schema::ensure_object(decoded->object, {"metadata"}).emplace("namespace", "default");
  std::vector<std::string> problems;
  for (const model::StatusCause& cause : apiserver::validate(kind, decoded->object, nullptr)) {
    problems.push_back(fmt::format("{}: {}", cause.field, cause.message));
  }
  if (problems.empty()) return {};
  return fail(ErrorCode::kInvalidInput, fmt::format("{}", fmt::join(problems, "; ")));
}

bool is_policy(const boost::json::value& document) {
  if (!document.is_object()) return false;
  const boost::json::object& object = document.get_object();
  return schema::text_at(object, {"apiVersion"}) == kPolicyApiVersion &&
         schema::text_at(object, {"kind"}) == kKind;
}

// Whether the text contains a policy, alone or in a list. Text that cannot be parsed may contain
// one.
bool has_policy(std::string_view text) {
  const auto documents = model::yaml_to_json(text);
  if (!documents) return true;
  for (const model::YamlDocument& document : *documents) {
    const auto parsed = apiserver::parse_json(document.json);
    if (!parsed || is_policy(parsed->value)) return true;
    if (!parsed->value.is_object()) continue;
    const boost::json::array* items = schema::array_at(parsed->value.get_object(), {"items"});
    if (items != nullptr && std::any_of(items->begin(), items->end(), is_policy)) return true;
  }
  return false;
}

// Checks only the policies among the documents.
Result<void> check_policies(std::string_view text) {
  const auto documents = model::yaml_to_json(text);
  if (!documents) return {};
  for (const model::YamlDocument& document : *documents) {
    auto parsed = apiserver::parse_json(document.json);
    if (!parsed || !is_policy(parsed->value)) continue;
    EBB_RETURN_IF_ERROR(check(std::move(*parsed)));
  }
  return {};
}

}  // namespace

Result<plan::TriedPolicy> read_policy_file(const std::string& name, const Streams& streams) {
  EBB_ASSIGN_OR_RETURN(auto text, read_text_file(name, streams.in));
  const std::string source = name == "-" ? "standard input" : name;
  text.reserve(text.size() + simdjson::SIMDJSON_PADDING);
  model::SnapshotReader reader;
  auto added = reader.add(source, text);
  // If the file contains no policy, that is the error to report, not errors in other objects.
  if (!added && !has_policy(text)) return plan::try_policy({}, source);
  if (!added) return propagate(added);
  EBB_ASSIGN_OR_RETURN(auto read, std::move(reader).finish());
  EBB_ASSIGN_OR_RETURN(auto tried, plan::try_policy(read, source));
  auto checked = check_policies(text);
  if (!checked) return fail(checked.error().code, source + ": " + checked.error().message);
  return tried;
}

}  // namespace ebb::cli
