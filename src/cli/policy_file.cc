#include "cli/policy_file.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <simdjson.h>

#include "apiserver/decode.h"
#include "apiserver/validate.h"
#include "cli/input.h"
#include "model/read_snapshot.h"
#include "model/yaml_to_json.h"
#include "schema/json.h"
#include "schema/kind.h"

namespace ebb::cli {
namespace {

constexpr std::string_view kApiVersion = "ebb.dev/v1alpha1";
constexpr std::string_view kKind = "DownscalePolicy";

// What an API server would refuse.
Result<void> check(apiserver::ParsedJson parsed) {
  const schema::Kind& kind = *schema::find_kind(kApiVersion, kKind);
  auto decoded = apiserver::conform(kind, std::move(parsed), apiserver::FieldValidation::kStrict);
  if (!decoded) return fail(ErrorCode::kInvalidInput, decoded.error().message);
  apiserver::apply_defaults(*kind.shape, decoded->object);
  // A file that names no namespace is applied to that of the target.
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
  return schema::text_at(object, {"apiVersion"}) == kApiVersion &&
         schema::text_at(object, {"kind"}) == kKind;
}

// Whether the text has a policy at all, by itself or in a list. What cannot be read may have one.
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

// The policies among the documents; what else is there is for others to judge.
Result<void> check_policies(std::string_view text) {
  const auto documents = model::yaml_to_json(text);
  if (!documents) return {};
  for (const model::YamlDocument& document : *documents) {
    auto parsed = apiserver::parse_json(document.json);
    if (!parsed || !is_policy(parsed->value)) continue;
    auto checked = check(std::move(*parsed));
    if (!checked) return checked;
  }
  return {};
}

}  // namespace

Result<plan::TriedPolicy> read_policy_file(const std::string& name, const Streams& streams) {
  auto text = read_text_file(name, streams.in);
  if (!text) return propagate(text);
  const std::string source = name == "-" ? "standard input" : name;
  text->reserve(text->size() + simdjson::SIMDJSON_PADDING);
  model::SnapshotReader reader;
  auto added = reader.add(source, *text);
  // What is wrong with other objects is not worth telling who gave the wrong file.
  if (!added && !has_policy(*text)) return plan::try_policy({}, source);
  if (!added) return propagate(added);
  auto read = std::move(reader).finish();
  if (!read) return propagate(read);
  auto tried = plan::try_policy(*read, source);
  if (!tried) return tried;
  auto checked = check_policies(*text);
  if (!checked) return fail(checked.error().code, source + ": " + checked.error().message);
  return tried;
}

}  // namespace ebb::cli
