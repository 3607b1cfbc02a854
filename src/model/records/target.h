// The workloads that DownscalePolicies apply to.
//
// A policy names its target by API group, kind and name. The target is a ReplicaSet itself, or the
// object of any kind that a ReplicaSet's controller reference names: a Deployment, or a kind that
// ebb does not know, such as Rollout of argoproj.io. Versions do not count, because an object is
// the same in all versions of its group.
#pragma once

#include <string_view>

#include "model/records/ownership.h"
#include "model/records/policy.h"
#include "model/records/workload.h"

namespace ebb::model {

inline constexpr std::string_view kAppsGroup = "apps";

struct TargetRef {
  std::string_view group;  // empty: the core group
  std::string_view kind;
  std::string_view name;

  friend bool operator==(const TargetRef&, const TargetRef&) = default;

  // The group, for messages.
  [[nodiscard]] std::string_view group_name() const { return group.empty() ? "core" : group; }
  [[nodiscard]] bool is_replica_set() const {
    return group == kAppsGroup && kind == kReplicaSetKind;
  }
  [[nodiscard]] bool is_deployment() const {
    return group == kAppsGroup && kind == kDeploymentKind;
  }
};

[[nodiscard]] inline TargetRef target_of(const DownscalePolicy& policy) {
  return {policy.target_group.view(), policy.target_kind.view(), policy.target_name.view()};
}

// How policies name the ReplicaSet itself.
[[nodiscard]] inline TargetRef reference_to(const ReplicaSet& set) {
  return {kAppsGroup, kReplicaSetKind, set.name.view()};
}

// How policies name the object that controls a ReplicaSet.
[[nodiscard]] inline TargetRef reference_to(const ControllerRef& owner) {
  return {owner.group.view(), owner.kind.view(), owner.name.view()};
}

// Whether the target is the ReplicaSet or its controller. Both must be in the same namespace.
[[nodiscard]] inline bool concerns(const TargetRef& target, const ReplicaSet& set) {
  return target == reference_to(set) ||
         (set.controller != nullptr && target == reference_to(*set.controller));
}

}  // namespace ebb::model
