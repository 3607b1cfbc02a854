#include "apiserver/scale.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/check.h"
#include "schema/json.h"

namespace ebb::apiserver {

namespace json = boost::json;
using model::Status;
using model::StatusOr;

namespace {

// `tier in (a,b)`, its values sorted.
std::string expression_text(const json::object& expression) {
  const std::string_view key = schema::text_at(expression, {"key"});
  const std::string_view op = schema::text_at(expression, {"operator"});
  if (op == "Exists") return std::string(key);
  if (op == "DoesNotExist") return fmt::format("!{}", key);
  std::vector<std::string_view> values;
  if (const json::array* list = schema::array_at(expression, {"values"})) {
    for (const json::value& value : *list) {
      if (value.is_string()) values.emplace_back(value.get_string());
    }
  }
  std::sort(values.begin(), values.end());
  return fmt::format("{} {} ({})", key, op == "In" ? "in" : "notin", fmt::join(values, ","));
}

Status cannot_unmarshal(const json::value& replicas) {
  const std::string what = replicas.is_number() ? "number " + json::serialize(replicas)
                           : replicas.is_bool() ? "bool"
                           : replicas.is_array()
                               ? "array"
                               : std::string(replicas.is_object() ? "object" : "string");
  return model::bad_request(fmt::format(
      "Scale in version \"v1\" cannot be handled as a Scale: json: cannot unmarshal {} into Go "
      "struct field ScaleSpec.spec.replicas of type int32",
      what));
}

// Absent and null are 0, as for any number of Kubernetes that is not optional.
StatusOr<std::int64_t> wanted_replicas(const json::object& scale) {
  const json::value* replicas = schema::lookup(scale, {"spec", "replicas"});
  if (replicas == nullptr || replicas->is_null()) return 0;
  const std::int64_t* number = replicas->if_int64();
  if (number == nullptr || *number < std::numeric_limits<std::int32_t>::min() ||
      *number > std::numeric_limits<std::int32_t>::max()) {
    return tl::unexpected(cannot_unmarshal(*replicas));
  }
  return *number;
}

}  // namespace

std::string label_selector_text(const json::object& selector) {
  // By key, then as they come: labels before expressions.
  std::vector<std::pair<std::string_view, std::string>> requirements;
  if (const json::object* labels = schema::object_at(selector, {"matchLabels"})) {
    for (const auto& label : *labels) {
      requirements.emplace_back(label.key(), fmt::format("{}={}", std::string_view(label.key()),
                                                         schema::text_at(*labels, {label.key()})));
    }
  }
  if (const json::array* expressions = schema::array_at(selector, {"matchExpressions"})) {
    for (const json::value& expression : *expressions) {
      if (!expression.is_object()) continue;
      requirements.emplace_back(schema::text_at(expression.get_object(), {"key"}),
                                expression_text(expression.get_object()));
    }
  }
  std::stable_sort(requirements.begin(), requirements.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string text;
  for (const auto& [key, requirement] : requirements) {
    if (!text.empty()) text += ',';
    text += requirement;
  }
  return text;
}

json::object scale_of(const schema::Kind& kind, const json::object& workload) {
  EBB_CHECK(kind.has_scale);
  json::object metadata;
  for (const char* name : {"name", "namespace", "uid", "resourceVersion", "creationTimestamp"}) {
    if (const json::value* value = schema::lookup(workload, {"metadata", name})) {
      metadata[name] = *value;
    }
  }
  // Kubernetes leaves out zero replicas in the specification, but not in the status.
  json::object spec;
  const std::int64_t wanted = schema::integer_at(workload, {"spec", "replicas"}).value_or(0);
  if (wanted != 0) spec["replicas"] = wanted;
  json::object status{
      {"replicas", schema::integer_at(workload, {"status", "replicas"}).value_or(0)}};
  if (const json::object* selector = schema::object_at(workload, {"spec", "selector"})) {
    const std::string text = label_selector_text(*selector);
    if (!text.empty()) status["selector"] = text;
  }
  return {{"kind", "Scale"},
          {"apiVersion", "autoscaling/v1"},
          {"metadata", std::move(metadata)},
          {"spec", std::move(spec)},
          {"status", std::move(status)}};
}

StatusOr<void> apply_scale(json::object& workload, const json::object& scale) {
  auto replicas = wanted_replicas(scale);
  if (!replicas) return tl::unexpected(std::move(replicas.error()));
  if (*replicas < 0) {
    const model::Subject subject{.group = "autoscaling",
                                 .resource = {},
                                 .kind = "Scale",
                                 .name = schema::text_at(workload, {"metadata", "name"})};
    return tl::unexpected(
        model::invalid(subject, {model::invalid_value("spec.replicas", std::to_string(*replicas),
                                                      "must be greater than or equal to 0")}));
  }
  schema::ensure_object(workload, {"spec"})["replicas"] = *replicas;
  return {};
}

}  // namespace ebb::apiserver
