#include "control/deployment/deployment_view.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include <boost/json/array.hpp>

#include "control/deployment/deployment_conditions.h"
#include "control/deployment/template_identity.h"
#include "model/api/requests.h"
#include "schema/core/json.h"

namespace ebb::control::deployments {
namespace {

namespace json = boost::json;

constexpr std::int64_t kReplicasLimit = std::numeric_limits<std::int32_t>::max();

std::int64_t number_at(const json::object& object, schema::Path path, std::int64_t otherwise = 0) {
  return schema::integer_at(object, path).value_or(otherwise);
}

// Parsed as upstream parses the sizes that it wrote: an int32 that is not negative.
std::optional<std::int64_t> size_annotation(const json::object& object, std::string_view key) {
  const auto number = parse_number(annotation(object, key));
  if (!number || *number < 0 || *number > kReplicasLimit) return std::nullopt;
  return number;
}

bool is_deleting(const json::object& object) {
  return !model::time_at(object, {"metadata", "deletionTimestamp"}).is_zero();
}

// The value for "no limit" gives nothing.
std::optional<std::int64_t> limit_at(const json::object& object, schema::Path path) {
  const auto limit = schema::integer_at(object, path);
  return limit && *limit < kReplicasLimit ? limit : std::nullopt;
}

bool selects_everything(const json::object& object) {
  const json::object* labels = schema::object_at(object, {"spec", "selector", "matchLabels"});
  const json::array* expressions =
      schema::array_at(object, {"spec", "selector", "matchExpressions"});
  return (labels == nullptr || labels->empty()) && (expressions == nullptr || expressions->empty());
}

// API servers accept percentages with any number of digits. All above the limit count as the limit.
std::int64_t percentage(std::string_view digits) {
  std::int64_t number = 0;
  const char* const last = digits.data() + digits.size();
  const auto [end, error] = std::from_chars(digits.data(), last, number);
  if (end != last || digits.empty() || digits.front() == '-') return 0;
  return error == std::errc() ? std::min(number, kReplicasLimit) : kReplicasLimit;
}

// `25%` of the replicas, or a plain number. Anything else counts as 0; the API server rejects it.
std::int64_t resolve(const json::value* value, std::int64_t replicas, bool round_up) {
  std::int64_t percent = 25;
  if (value != nullptr && !value->is_null()) {
    if (value->is_int64()) return std::clamp<std::int64_t>(value->get_int64(), 0, kReplicasLimit);
    if (!value->is_string()) return 0;
    std::string_view text = value->get_string();
    if (!text.ends_with('%')) return 0;
    text.remove_suffix(1);
    percent = percentage(text);
  }
  return std::min((percent * replicas + (round_up ? 99 : 0)) / 100, kReplicasLimit);
}

void resolve_room(DeploymentView& view) {
  if (view.strategy != DeploymentView::Strategy::kRollingUpdate) return;
  const auto at = [&](std::string_view field) {
    return schema::lookup(view.object, {"spec", "strategy", "rollingUpdate", field});
  };
  view.surge = resolve(at("maxSurge"), view.replicas, true);
  view.unavailable = resolve(at("maxUnavailable"), view.replicas, false);
  // A rollout must be able to proceed.
  if (view.surge == 0 && view.unavailable == 0) view.unavailable = 1;
  view.unavailable = std::min(view.unavailable, view.replicas);
}

std::shared_ptr<const json::object> shared_copy(const json::object* part) {
  // In memory of its own: a copy in the document's would keep the whole document.
  return part == nullptr ? nullptr
                         : std::make_shared<const json::object>(*part, json::storage_ptr());
}

}  // namespace

std::optional<std::int64_t> parse_number(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string_view annotation(const json::object& object, std::string_view key) {
  return schema::text_at(object, {"metadata", "annotations", key});
}

SetView read_set(json::object object) {
  SetView view;
  view.name = schema::text_at(object, {"metadata", "name"});
  view.uid = schema::text_at(object, {"metadata", "uid"});
  view.created = model::time_at(object, {"metadata", "creationTimestamp"});
  view.generation = number_at(object, {"metadata", "generation"});
  view.deleting = is_deleting(object);
  view.replicas = number_at(object, {"spec", "replicas"}, 1);
  view.min_ready_seconds = number_at(object, {"spec", "minReadySeconds"});
  view.observed_generation = number_at(object, {"status", "observedGeneration"});
  view.status_replicas = number_at(object, {"status", "replicas"});
  view.ready = number_at(object, {"status", "readyReplicas"});
  view.available = number_at(object, {"status", "availableReplicas"});
  view.terminating = schema::integer_at(object, {"status", "terminatingReplicas"});
  view.desired = size_annotation(object, kDesiredReplicas);
  view.max = size_annotation(object, kMaxReplicas);
  const json::value* revision = schema::lookup(object, {"metadata", "annotations", kRevision});
  view.revision = revision == nullptr ? 0 : parse_number(annotation(object, kRevision));
  view.resource_version = schema::text_at(object, {"metadata", "resourceVersion"});
  view.picker = shared_copy(schema::object_at(object, {"spec", "downscalePodPicker"}));
  if (const json::object* status = schema::object_at(object, {"status"})) {
    view.failure = shared_copy(find_condition(*status, kReplicaFailure));
  }
  view.object = std::move(object);
  return view;
}

DeploymentView read_deployment(json::object object) {
  using Strategy = DeploymentView::Strategy;
  DeploymentView view;
  view.key = model::name_of(object);
  view.uid = schema::text_at(object, {"metadata", "uid"});
  view.generation = number_at(object, {"metadata", "generation"});
  view.deleting = is_deleting(object);
  view.selects_everything = selects_everything(object);
  view.paused = schema::is_true_at(object, {"spec", "paused"});
  view.replicas = number_at(object, {"spec", "replicas"}, 1);
  view.min_ready_seconds = number_at(object, {"spec", "minReadySeconds"});
  const std::string_view strategy = schema::text_at(object, {"spec", "strategy", "type"});
  view.strategy = strategy == "Recreate"                            ? Strategy::kRecreate
                  : strategy.empty() || strategy == "RollingUpdate" ? Strategy::kRollingUpdate
                                                                    : Strategy::kUnknown;
  view.history_limit = limit_at(object, {"spec", "revisionHistoryLimit"});
  view.progress_deadline_seconds = limit_at(object, {"spec", "progressDeadlineSeconds"});
  view.observed_generation = number_at(object, {"status", "observedGeneration"});
  view.status_replicas = number_at(object, {"status", "replicas"});
  view.updated = number_at(object, {"status", "updatedReplicas"});
  view.ready = number_at(object, {"status", "readyReplicas"});
  view.available = number_at(object, {"status", "availableReplicas"});
  view.collision_count = schema::integer_at(object, {"status", "collisionCount"});
  view.object = std::move(object);
  resolve_room(view);
  return view;
}

bool older(const SetView& a, const SetView& b) {
  return a.created != b.created ? a.created < b.created : a.name < b.name;
}

const SetView* find_new_set(const Snapshot& snapshot) {
  const json::object* wanted = schema::object_at(snapshot.deployment.object, {"spec", "template"});
  if (wanted == nullptr) return nullptr;
  const SetView* found = nullptr;
  for (const SetView& set : snapshot.sets) {
    if (found != nullptr && older(*found, set)) continue;
    const json::object* pod_template = schema::object_at(set.object, {"spec", "template"});
    if (pod_template != nullptr && same_template(*pod_template, *wanted)) found = &set;
  }
  return found;
}

std::vector<const SetView*> old_sets(const Snapshot& snapshot, const SetView* fresh) {
  std::vector<const SetView*> old;
  for (const SetView& set : snapshot.sets) {
    if (&set != fresh) old.push_back(&set);
  }
  return old;
}

}  // namespace ebb::control::deployments
