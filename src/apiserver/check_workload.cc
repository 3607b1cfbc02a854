// ReplicaSets and Deployments.
#include <charconv>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "apiserver/checks.h"
#include "schema/json.h"
#include "schema/same.h"
#include "schema/selector_text.h"

namespace ebb::apiserver {

namespace json = boost::json;

using schema::array_at;
using schema::integer_at;
using schema::object_at;
using schema::text_at;

namespace {

constexpr FieldPath kSpec{.name = "spec"};
constexpr FieldPath kTemplate{.parent = &kSpec, .name = "template"};
constexpr FieldPath kStatus{.name = "status"};

std::string selector_json(const json::object& selector) {
  json::object copy = selector;
  // Go prints maps in the order of their keys.
  if (json::object* labels = object_at(copy, {"matchLabels"})) {
    copy["matchLabels"] = json::parse(labels_json(labels));
  }
  return json::serialize(copy);
}

void check_selector(const Write& write, Findings& findings) {
  const json::object* selector = object_at(write.spec(), {"selector"});
  // The table says that it is required.
  if (selector == nullptr) return;
  const auto text = schema::selector_text(selector);
  if (!text) {
    findings.invalid("spec.selector", selector_json(*selector), "invalid label selector");
  } else if (text->empty()) {
    findings.invalid("spec.selector", selector_json(*selector),
                     "empty selector is invalid for deployment");
  } else {
    const json::object* labels = object_at(write.spec(), {"template", "metadata", "labels"});
    if (!selector_matches(*selector, labels)) {
      findings.invalid("spec.template.metadata.labels", labels_json(labels),
                       "`selector` does not match template `labels`");
    }
  }
  const json::object* old =
      write.old == nullptr ? nullptr : object_at(*write.old_spec(), {"selector"});
  if (old != nullptr && !schema::same(*old, *selector)) {
    findings.immutable("spec.selector", selector_json(*selector));
  }
}

void check_template(const Write& write, Findings& findings) {
  const json::object* pod = object_at(write.spec(), {"template"});
  if (pod == nullptr) return;
  const json::object* annotations = object_at(*pod, {"metadata", "annotations"});
  const json::object* old_annotations =
      write.old == nullptr ? nullptr
                           : object_at(*write.old_spec(), {"template", "metadata", "annotations"});
  // Kubernetes leaves `metadata` out of these two paths.
  const FieldPath annotations_path{.parent = &kTemplate, .name = "annotations"};
  check_labels(object_at(*pod, {"metadata", "labels"}),
               FieldPath{.parent = &kTemplate, .name = "labels"}, findings);
  check_annotations(annotations, annotations_path, findings);
  check_deletion_cost(annotations, old_annotations, write.gates, annotations_path, findings);

  const json::object* spec = object_at(*pod, {"spec"});
  if (spec == nullptr) {
    findings.required("spec.template.spec.containers");
    return;
  }
  check_pod_spec(*spec, FieldPath{.parent = &kTemplate, .name = "spec"}, findings);
  const std::string_view policy = text_at(*spec, {"restartPolicy"});
  if (policy == "OnFailure" || policy == "Never") {
    findings.unsupported("spec.template.spec.restartPolicy", quoted(policy), "Always");
  }
  if (spec->contains("activeDeadlineSeconds")) {
    findings.forbidden("spec.template.spec.activeDeadlineSeconds",
                       "activeDeadlineSeconds in ReplicaSet is not Supported");
  }
  if (array_at(*spec, {"ephemeralContainers"}) != nullptr) {
    findings.forbidden("spec.template.spec.ephemeralContainers",
                       "ephemeral containers not allowed in pod template");
  }
}

void check_pods_of(const Write& write, Findings& findings) {
  check_selector(write, findings);
  check_template(write, findings);
  if (const json::object* picker = object_at(write.spec(), {"downscalePodPicker"})) {
    check_picker(*picker, FieldPath{.parent = &kSpec, .name = "downscalePodPicker"}, findings);
  }
}

bool is_percent(const json::value& value) {
  return value.is_string() && schema::percent_complaints(value.get_string()).empty();
}

// 25 for 25 and for "25%", 0 for what is neither. Larger than any number is large enough.
std::int64_t amount(const json::value& value) {
  if (value.is_int64()) return value.get_int64();
  if (!value.is_string()) return 0;
  const std::string_view text = value.get_string();
  std::int64_t number = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  if (result.ec == std::errc::result_out_of_range) return std::numeric_limits<std::int64_t>::max();
  return number;
}

void check_amount(const json::value& value, const FieldPath& path, Findings& findings) {
  if (value.is_string()) {
    findings.complain(path, value.get_string(), schema::percent_complaints(value.get_string()));
  } else if (value.is_int64() && value.get_int64() < 0) {
    findings.invalid(path.text(), json_text(&value), kNotNegative);
  }
}

void check_rolling_update(const json::object& rolling, Findings& findings) {
  constexpr FieldPath kStrategy{.parent = &kSpec, .name = "strategy"};
  const FieldPath path{.parent = &kStrategy, .name = "rollingUpdate"};
  const json::value zero(0);
  const json::value* unavailable = rolling.if_contains("maxUnavailable");
  const json::value* surge = rolling.if_contains("maxSurge");
  if (unavailable == nullptr) unavailable = &zero;
  if (surge == nullptr) surge = &zero;
  const FieldPath unavailable_path{.parent = &path, .name = "maxUnavailable"};
  check_amount(*unavailable, unavailable_path, findings);
  check_amount(*surge, FieldPath{.parent = &path, .name = "maxSurge"}, findings);
  if (amount(*unavailable) == 0 && amount(*surge) == 0) {
    findings.invalid(unavailable_path.text(), json_text(unavailable),
                     "may not be 0 when `maxSurge` is 0");
  }
  if (is_percent(*unavailable) && amount(*unavailable) > 100) {
    findings.invalid(unavailable_path.text(), json_text(unavailable),
                     "must not be greater than 100%");
  }
}

void check_strategy(const json::object& spec, Findings& findings) {
  const json::object* rolling = object_at(spec, {"strategy", "rollingUpdate"});
  if (rolling == nullptr) return;
  if (text_at(spec, {"strategy", "type"}) == "Recreate") {
    findings.forbidden("spec.strategy.rollingUpdate",
                       "may not be specified when strategy `type` is 'Recreate'");
  } else {
    check_rolling_update(*rolling, findings);
  }
}

// No count may exceed that of all pods, and those available are ready.
void check_counts(const json::object& status, std::initializer_list<std::string_view> counts,
                  Findings& findings) {
  const auto number = [&](std::string_view field) {
    return integer_at(status, {field}).value_or(0);
  };
  const auto exceeds = [&](std::string_view field, std::string_view most, std::string_view detail) {
    if (number(field) <= number(most)) return;
    findings.invalid(below(kStatus, field), fmt::format("{}", number(field)), detail);
  };
  for (const std::string_view field : counts) {
    exceeds(field, "replicas", "cannot be greater than status.replicas");
  }
  exceeds("availableReplicas", "readyReplicas", "cannot be greater than readyReplicas");
}

const json::object& status_of(const json::object& object) {
  static const json::object kEmpty;
  const json::object* status = object_at(object, {"status"});
  return status == nullptr ? kEmpty : *status;
}

}  // namespace

void check_replica_set(const Write& write, Findings& findings) { check_pods_of(write, findings); }

void check_deployment(const Write& write, Findings& findings) {
  const json::object& spec = write.spec();
  check_pods_of(write, findings);
  check_strategy(spec, findings);
  const auto deadline = integer_at(spec, {"progressDeadlineSeconds"});
  if (deadline && *deadline <= integer_at(spec, {"minReadySeconds"}).value_or(0)) {
    findings.invalid("spec.progressDeadlineSeconds", fmt::format("{}", *deadline),
                     "must be greater than minReadySeconds");
  }
}

void check_replica_set_status(const Write& write, Findings& findings) {
  check_counts(status_of(write.object),
               {"fullyLabeledReplicas", "readyReplicas", "availableReplicas"}, findings);
}

void check_deployment_status(const Write& write, Findings& findings) {
  const json::object& status = status_of(write.object);
  check_counts(status, {"updatedReplicas", "readyReplicas", "availableReplicas"}, findings);
  const auto before = integer_at(status_of(*write.old), {"collisionCount"});
  const std::int64_t now = integer_at(status, {"collisionCount"}).value_or(0);
  if (before && now < *before) {
    findings.invalid("status.collisionCount", fmt::format("{}", now), "cannot be decremented");
  }
}

}  // namespace ebb::apiserver
