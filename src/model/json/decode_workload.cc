#include "model/json/decode_workload.h"

#include <charconv>
#include <limits>

#include <fmt/format.h>

#include "model/json/decode_metadata.h"

namespace ebb::model {
namespace {

constexpr std::string_view kDesiredReplicas = "deployment.kubernetes.io/desired-replicas";
constexpr std::string_view kMaxReplicas = "deployment.kubernetes.io/max-replicas";
constexpr std::string_view kRevision = "deployment.kubernetes.io/revision";

// Annotations are free text. As for the Deployment controller, anything but a non-negative number
// counts as absent.
template <class Integer>
std::optional<Integer> decode_number(const JsonValue& annotation) {
  const std::string_view text = annotation.string();
  Integer number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || number < 0) {
    return std::nullopt;
  }
  return number;
}

Requirement decode_expression(const JsonValue& expression) {
  const auto [key, op, values] = expression.members({"key", "operator", "values"});
  std::vector<Interned> texts;
  values.each_item([&](const JsonValue& value) { texts.push_back(value.interned()); });
  const bool has_values = !texts.empty();
  auto requirement = make_requirement(key.required(), op.string(), std::move(texts));
  if (requirement) return std::move(*requirement);

  const std::string_view name = op.string();
  if (!has_values && (name == "In" || name == "NotIn")) {
    values.report(fmt::format("{} needs at least one value", name));
  } else if (has_values && (name == "Exists" || name == "DoesNotExist")) {
    values.report(fmt::format("{} takes no values", name));
  } else {
    op.report(fmt::format("expected In, NotIn, Exists or DoesNotExist, got \"{}\"", name));
  }
  return {};
}

Selector decode_selector(const JsonValue& value) {
  const auto [labels, expressions] = value.members({"matchLabels", "matchExpressions"});
  Selector selector;
  for (const Label& label : labels.labels()->labels) {
    selector.requirements.push_back({label.key, Requirement::Operator::kIn, {label.value}});
  }
  expressions.each_item([&](const JsonValue& expression) {
    selector.requirements.push_back(decode_expression(expression));
  });
  std::size_t terms = 0;
  for (const Requirement& each : selector.requirements) terms += 1 + each.values.size();
  if (terms <= kMaxSelectorTerms) return selector;
  value.remark(
      fmt::format("{} requirements and values; ebb supports at most {}", terms, kMaxSelectorTerms));
  return {};
}

const LabelSet* decode_template_labels(const JsonValue& pod_template) {
  const auto [metadata] = pod_template.members({"metadata"});
  const auto [labels] = metadata.members({"labels"});
  return labels.labels();
}

IntOrPercent decode_int_or_percent(const JsonValue& value, IntOrPercent otherwise) {
  if (!value.present()) return otherwise;
  if (!value.is_string()) return {value.count().value_or(0), false};
  const std::string_view text = value.string();
  std::int32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  // API servers accept any number of digits.
  const bool too_large = error == std::errc::result_out_of_range && !text.starts_with('-');
  if (too_large) number = std::numeric_limits<std::int32_t>::max();
  if ((error != std::errc() && !too_large) ||
      std::string_view(end, text.data() + text.size()) != "%" || number < 0) {
    value.report(fmt::format("expected a number or a percentage such as 25%, got \"{}\"", text));
  }
  return {number, true};
}

void decode_status(const JsonValue& status, ReplicaSet& set) {
  const auto [observed, replicas, labeled, ready, available, terminating] =
      status.members({"observedGeneration", "replicas", "fullyLabeledReplicas", "readyReplicas",
                      "availableReplicas", "terminatingReplicas"});
  set.observed_generation = observed.int64().value_or(0);
  set.status_replicas = replicas.count().value_or(0);
  set.fully_labeled = labeled.count().value_or(0);
  set.ready = ready.count().value_or(0);
  set.available = available.count().value_or(0);
  set.terminating = terminating.count();
}

}  // namespace

ReplicaSet decode_replica_set(const JsonValue& object) {
  const auto [metadata, spec, status] = object.members({"metadata", "spec", "status"});
  const Metadata meta = decode_metadata_with_uid(metadata);
  ReplicaSet set;
  set.name = meta.name;
  set.namespace_name = meta.namespace_name;
  set.uid = meta.uid;
  set.controller = meta.controller;
  set.created = meta.created;
  set.labels = meta.labels;
  set.revision_seen = meta.revision;
  set.generation = meta.generation;
  set.deleting = meta.deleting;

  const auto [desired, max, revision] =
      meta.annotations.members({kDesiredReplicas, kMaxReplicas, kRevision});
  set.desired_annotation = decode_number<std::int32_t>(desired);
  set.max_annotation = decode_number<std::int32_t>(max);
  set.revision = decode_number<std::int64_t>(revision);

  const auto [replicas, selector, pod_template, min_ready, picker] =
      spec.members({"replicas", "selector", "template", "minReadySeconds", "downscalePodPicker"});
  set.replicas = replicas.count().value_or(1);
  set.selector = decode_selector(selector);
  set.template_labels = decode_template_labels(pod_template);
  set.min_ready_seconds = min_ready.count().value_or(0);
  set.has_picker = picker.present();

  decode_status(status, set);
  return set;
}

Deployment decode_deployment(const JsonValue& object) {
  const auto [metadata, spec, status] = object.members({"metadata", "spec", "status"});
  const Metadata meta = decode_metadata_with_uid(metadata);
  Deployment deployment;
  deployment.name = meta.name;
  deployment.namespace_name = meta.namespace_name;
  deployment.uid = meta.uid;
  deployment.created = meta.created;
  deployment.revision_seen = meta.revision;
  deployment.generation = meta.generation;
  deployment.deleting = meta.deleting;

  const auto [revision] = meta.annotations.members({kRevision});
  deployment.revision = decode_number<std::int64_t>(revision);

  const auto [replicas, selector, strategy, picker] =
      spec.members({"replicas", "selector", "strategy", "downscalePodPicker"});
  deployment.selector = decode_selector(selector);
  deployment.replicas = replicas.count().value_or(1);
  const auto [type, rolling_update] = strategy.members({"type", "rollingUpdate"});
  deployment.recreate = type.string() == "Recreate";
  const auto [max_surge] = rolling_update.members({"maxSurge"});
  deployment.max_surge = decode_int_or_percent(max_surge, deployment.max_surge);
  deployment.has_picker = picker.present();

  const auto [status_replicas, observed] = status.members({"replicas", "observedGeneration"});
  deployment.observed_generation = observed.int64().value_or(0);
  deployment.status_replicas = status_replicas.count().value_or(0);
  return deployment;
}

}  // namespace ebb::model
