#include "model/decode_pod.h"

#include <algorithm>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>
#include <fmt/format.h>

#include "model/decode_metadata.h"
#include "model/decode_placement.h"
#include "model/pod_text.h"

namespace ebb::model {
namespace {

// Ready is what the first condition of that type says.
void decode_ready(const JsonValue& conditions, Pod& pod) {
  bool seen = false;
  conditions.each_item([&](const JsonValue& condition) {
    const auto [type] = condition.members({"type"});
    if (type.string() != "Ready" || seen) return;
    seen = true;
    const auto [status, since] = condition.members({"status", "lastTransitionTime"});
    pod.ready = status.string() == "True";
    pod.ready_since = since.time();
  });
}

using Names = boost::unordered_flat_set<std::string_view>;

// Sidecars are the init containers that are restarted on their own.
Names decode_sidecars(const JsonValue& init_containers) {
  Names names;
  init_containers.each_item([&](const JsonValue& container) {
    const auto [name, restart_policy] = container.members({"name", "restartPolicy"});
    if (restart_policy.string() == "Always") names.insert(name.string());
  });
  return names;
}

std::int32_t decode_restarts(const JsonValue& statuses) {
  std::int32_t most = 0;
  statuses.each_item([&](const JsonValue& status) {
    const auto [restarts] = status.members({"restartCount"});
    most = std::max(most, restarts.count().value_or(0));
  });
  return most;
}

std::int32_t decode_sidecar_restarts(const JsonValue& statuses, const Names& sidecars) {
  std::int32_t most = 0;
  statuses.each_item([&](const JsonValue& status) {
    const auto [name, restarts] = status.members({"name", "restartCount"});
    const std::int32_t count = restarts.count().value_or(0);
    if (sidecars.contains(name.string())) most = std::max(most, count);
  });
  return most;
}

void decode_annotations(const JsonValue& annotations, Pod& pod) {
  const auto [cost, rank] = annotations.members({kDeletionCostAnnotation, kCostRankAnnotation});
  if (cost.present()) read_deletion_cost(cost.string(), pod);
  if (rank.present()) read_annotated_rank(rank.string(), pod);

  std::vector<Label> numbers;
  annotations.each_member([&](const JsonValue& annotation) {
    if (!annotation.is_string()) return;
    if (const auto kept = kept_of_annotation(annotation.key(), annotation.string())) {
      Pool& pool = annotation.pool();
      numbers.push_back({pool.intern(annotation.key()), pool.intern(*kept)});
    }
  });
  if (numbers.empty()) return;
  if (const Label* twice = sort_by_key(numbers)) {
    annotations.report(fmt::format("key {} stands twice in the same object", twice->key.view()));
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
  pod.name_space = meta.name_space;
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
