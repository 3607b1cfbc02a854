// Validates ReplicaSets and Deployments.
#include <charconv>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "apiserver/validation/checks.h"
#include "schema/core/fast_equality.h"
#include "schema/core/json.h"
#include "schema/core/selector_text.h"

namespace ebb::apiserver {

namespace json = boost::json;

using schema::array_at;
using schema::integer_at;
using schema::object_at;
using schema::text_at;

namespace {

constexpr FieldPath kTemplate{.parent = &kSpec, .name = "template"};
constexpr FieldPath kStatus{.name = "status"};

std::string selector_json(const json::object& selector) {
  json::object copy = selector;
  // Go prints maps sorted by key.
  if (json::object* labels = object_at(copy, {"matchLabels"})) {
    copy["matchLabels"] = json::parse(labels_json(labels));
  }
  return json::serialize(copy);
}

void check_selector(const Write& write, FieldErrors& errors) {
  const json::object* selector = object_at(write.spec(), {"selector"});
  // The schema table reports a missing selector.
  if (selector == nullptr) return;
  const auto text = schema::selector_text(selector);
  if (!text) {
    errors.invalid("spec.selector", selector_json(*selector), "invalid label selector");
  } else if (text->empty()) {
    errors.invalid("spec.selector", selector_json(*selector),
                   "empty selector is invalid for deployment");
  } else {
    const json::object* labels = object_at(write.spec(), {"template", "metadata", "labels"});
    if (!selector_matches(*selector, labels)) {
      errors.invalid("spec.template.metadata.labels", labels_json(labels),
                     "`selector` does not match template `labels`");
    }
  }
  const json::object* old =
      write.old == nullptr ? nullptr : object_at(*write.old_spec(), {"selector"});
  if (old != nullptr && !schema::fast_equal(*old, *selector)) {
    errors.immutable("spec.selector", selector_json(*selector));
  }
}

void check_template(const Write& write, FieldErrors& errors) {
  const json::object* pod = object_at(write.spec(), {"template"});
  if (pod == nullptr) return;
  const json::object* annotations = object_at(*pod, {"metadata", "annotations"});
  const json::object* old_annotations =
      write.old == nullptr ? nullptr
                           : object_at(*write.old_spec(), {"template", "metadata", "annotations"});
  // Kubernetes omits `metadata` in these two paths.
  const FieldPath annotations_path{.parent = &kTemplate, .name = "annotations"};
  check_labels(object_at(*pod, {"metadata", "labels"}),
               FieldPath{.parent = &kTemplate, .name = "labels"}, errors);
  check_annotations(annotations, annotations_path, errors);
  check_deletion_cost(annotations, old_annotations, write.gates, annotations_path, errors);

  const json::object* spec = object_at(*pod, {"spec"});
  if (spec == nullptr) {
    errors.required("spec.template.spec.containers");
    return;
  }
  check_pod_spec(*spec, FieldPath{.parent = &kTemplate, .name = "spec"}, errors);
  const std::string_view policy = text_at(*spec, {"restartPolicy"});
  if (policy == "OnFailure" || policy == "Never") {
    errors.unsupported("spec.template.spec.restartPolicy", quoted(policy), "Always");
  }
  if (spec->contains("activeDeadlineSeconds")) {
    errors.forbidden("spec.template.spec.activeDeadlineSeconds",
                     "activeDeadlineSeconds in ReplicaSet is not Supported");
  }
  if (array_at(*spec, {"ephemeralContainers"}) != nullptr) {
    errors.forbidden("spec.template.spec.ephemeralContainers",
                     "ephemeral containers not allowed in pod template");
  }
}

void check_pods_of(const Write& write, FieldErrors& errors) {
  check_selector(write, errors);
  check_template(write, errors);
  if (const json::object* picker = object_at(write.spec(), {"downscalePodPicker"})) {
    check_picker(*picker, FieldPath{.parent = &kSpec, .name = "downscalePodPicker"}, errors);
  }
}

bool is_percent(const json::value& value) {
  return value.is_string() && schema::percent_errors(value.get_string()).empty();
}

// 25 for 25 and for "25%", 0 for anything else. Overflow saturates.
std::int64_t amount(const json::value& value) {
  if (value.is_int64()) return value.get_int64();
  if (!value.is_string()) return 0;
  const std::string_view text = value.get_string();
  std::int64_t number = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  if (result.ec == std::errc::result_out_of_range) return std::numeric_limits<std::int64_t>::max();
  return number;
}

void check_amount(const json::value& value, const FieldPath& path, FieldErrors& errors) {
  if (value.is_string()) {
    errors.complain(path, value.get_string(), schema::percent_errors(value.get_string()));
  } else if (value.is_int64() && value.get_int64() < 0) {
    errors.invalid(path.text(), json_text(&value), kNotNegative);
  }
}

void check_rolling_update(const json::object& rolling, FieldErrors& errors) {
  constexpr FieldPath kStrategy{.parent = &kSpec, .name = "strategy"};
  const FieldPath path{.parent = &kStrategy, .name = "rollingUpdate"};
  const json::value zero(0);
  const json::value* unavailable = rolling.if_contains("maxUnavailable");
  const json::value* surge = rolling.if_contains("maxSurge");
  if (unavailable == nullptr) unavailable = &zero;
  if (surge == nullptr) surge = &zero;
  const FieldPath unavailable_path{.parent = &path, .name = "maxUnavailable"};
  check_amount(*unavailable, unavailable_path, errors);
  check_amount(*surge, FieldPath{.parent = &path, .name = "maxSurge"}, errors);
  if (amount(*unavailable) == 0 && amount(*surge) == 0) {
    errors.invalid(unavailable_path.text(), json_text(unavailable),
                   "may not be 0 when `maxSurge` is 0");
  }
  if (is_percent(*unavailable) && amount(*unavailable) > 100) {
    errors.invalid(unavailable_path.text(), json_text(unavailable),
                   "must not be greater than 100%");
  }
}

void check_strategy(const json::object& spec, FieldErrors& errors) {
  const json::object* rolling = object_at(spec, {"strategy", "rollingUpdate"});
  if (rolling == nullptr) return;
  if (text_at(spec, {"strategy", "type"}) == "Recreate") {
    errors.forbidden("spec.strategy.rollingUpdate",
                     "may not be specified when strategy `type` is 'Recreate'");
  } else {
    check_rolling_update(*rolling, errors);
  }
}

// Each count is at most the number of pods, and available pods are ready.
void check_counts(const json::object& status, std::initializer_list<std::string_view> counts,
                  FieldErrors& errors) {
  const auto number = [&](std::string_view field) {
    return integer_at(status, {field}).value_or(0);
  };
  const auto exceeds = [&](std::string_view field, std::string_view most, std::string_view detail) {
    if (number(field) <= number(most)) return;
    errors.invalid(below(kStatus, field), fmt::format("{}", number(field)), detail);
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

void check_replica_set(const Write& write, FieldErrors& errors) { check_pods_of(write, errors); }

void check_deployment(const Write& write, FieldErrors& errors) {
  const json::object& spec = write.spec();
  check_pods_of(write, errors);
  check_strategy(spec, errors);
  const auto deadline = integer_at(spec, {"progressDeadlineSeconds"});
  if (deadline && *deadline <= integer_at(spec, {"minReadySeconds"}).value_or(0)) {
    errors.invalid("spec.progressDeadlineSeconds", fmt::format("{}", *deadline),
                   "must be greater than minReadySeconds");
  }
}

void check_replica_set_status(const Write& write, FieldErrors& errors) {
  check_counts(status_of(write.object),
               {"fullyLabeledReplicas", "readyReplicas", "availableReplicas"}, errors);
}

void check_deployment_status(const Write& write, FieldErrors& errors) {
  const json::object& status = status_of(write.object);
  check_counts(status, {"updatedReplicas", "readyReplicas", "availableReplicas"}, errors);
  const auto before = integer_at(status_of(*write.old), {"collisionCount"});
  const std::int64_t now = integer_at(status, {"collisionCount"}).value_or(0);
  if (before && now < *before) {
    errors.invalid("status.collisionCount", fmt::format("{}", now), "cannot be decremented");
  }
}

}  // namespace ebb::apiserver
