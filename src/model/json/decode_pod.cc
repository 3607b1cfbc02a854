#include "model/json/decode_pod.h"

#include <algorithm>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>
#include <fmt/format.h>

#include "model/json/decode_metadata.h"
#include "model/json/decode_placement.h"
#include "model/records/pod_text.h"
#include "model/records/scale_down_mark.h"
#include "schema/core/time.h"

namespace ebb::model {
namespace {

// Protobuf clients can write any time, including ones that JSON cannot express.
Timestamp moment_in(const JsonValue& time) {
  if (!time.is_string()) return time.time();
  const auto parsed = schema::parse_time(time.string());
  if (parsed) return *parsed;
  time.remark(parsed.error().message);
  return {};
}

// The first Ready condition counts.
void decode_ready(const JsonValue& conditions, Pod& pod) {
  bool seen = false;
  conditions.each_item([&](const JsonValue& condition) {
    const auto [type] = condition.members({"type"});
    if (type.string() != "Ready" || seen) return;
    seen = true;
    const auto [status, since] = condition.members({"status", "lastTransitionTime"});
    pod.ready = status.string() == "True";
    pod.ready_since = moment_in(since);
  });
}

using Names = boost::unordered_flat_set<std::string_view>;

// Sidecars are the init containers that restart on their own.
Names decode_sidecars(const JsonValue& init_containers) {
  Names names;
  init_containers.each_item([&](const JsonValue& container) {
    const auto [name, restart_policy] = container.members({"name", "restartPolicy"});
    if (restart_policy.string() == "Always") names.insert(name.string());
  });
  return names;
}

// Any client that can write the status can set it, and API servers do not validate it.
std::int32_t restarts_in(const JsonValue& count) {
  const std::int32_t restarts = count.int32().value_or(0);
  if (restarts < 0) count.remark(fmt::format("must not be negative, got {}", restarts));
  return std::max(restarts, 0);
}

std::int32_t decode_restarts(const JsonValue& statuses) {
  std::int32_t most = 0;
  statuses.each_item([&](const JsonValue& status) {
    const auto [restarts] = status.members({"restartCount"});
    most = std::max(most, restarts_in(restarts));
  });
  return most;
}

std::int32_t decode_sidecar_restarts(const JsonValue& statuses, const Names& sidecars) {
  std::int32_t most = 0;
  statuses.each_item([&](const JsonValue& status) {
    const auto [name, restarts] = status.members({"name", "restartCount"});
    const std::int32_t count = restarts_in(restarts);
    if (sidecars.contains(name.string())) most = std::max(most, count);
  });
  return most;
}

void decode_annotations(const JsonValue& annotations, Pod& pod) {
  const auto [cost, rank, mark, previous] =
      annotations.members({kDeletionCostAnnotation, kCostRankAnnotation, kScaleDownAnnotation,
                           kPreviousCostAnnotation});
  if (cost.present()) read_deletion_cost(cost.string(), pod);
  if (rank.present()) read_annotated_rank(rank.string(), pod);
  if (mark.present()) read_scale_down_mark(mark.string(), annotations.pool(), pod);
  if (previous.present()) read_previous_cost(previous.string(), annotations.pool(), pod);
  settle_marked_cost(pod);

  std::vector<Label> numbers;
  annotations.each_member([&](const JsonValue& annotation) {
    pod.has_annotations = true;
    if (!annotation.is_string()) return;
    if (const auto kept = kept_of_annotation(annotation.key(), annotation.string())) {
      Pool& pool = annotation.pool();
      numbers.push_back({pool.intern(annotation.key()), pool.intern(*kept)});
    }
  });
  if (numbers.empty()) return;
  if (const Label* twice = sort_by_key(numbers)) {
    annotations.report(fmt::format("key {} occurs twice in the same object", twice->key.view()));
  }
  pod.numbers = annotations.pool().intern_numbers(std::move(numbers));
}

void decode_status(const JsonValue& status, const Names& sidecars, Pod& pod) {
  const auto [phase, conditions, containers, init_containers, cost] =
      status.members({"phase", "conditions", "containerStatuses", "initContainerStatuses", "cost"});
  pod.phase = parse_phase(phase.string());
  decode_ready(conditions, pod);
  pod.restarts = decode_restarts(containers);
  pod.sidecar_restarts = decode_sidecar_restarts(init_containers, sidecars);
  pod.status_rank = cost.int32();
}

}  // namespace

Pod decode_pod(const JsonValue& object) {
  const auto [metadata, spec, status] = object.members({"metadata", "spec", "status"});
  const Metadata meta = decode_metadata_with_uid(metadata);
  Pod pod;
  pod.name = meta.name;
  pod.namespace_name = meta.namespace_name;
  pod.uid = meta.uid;
  pod.labels = meta.labels;
  pod.controller = meta.controller;
  pod.created = meta.created;
  pod.revision = meta.revision;
  pod.deleting = meta.deleting;
  pod.prefer_for_scale_down =
      meta.labels->find(object.pool().intern(kPreferForScaleDownLabel)) != nullptr;
  decode_annotations(meta.annotations, pod);
  const auto [node, init_containers, tolerations, affinity] =
      spec.members({"nodeName", "initContainers", "tolerations", "affinity"});
  pod.node = node.interned();
  pod.placement = decode_placement(tolerations, affinity);
  decode_status(status, decode_sidecars(init_containers), pod);
  return pod;
}

}  // namespace ebb::model
