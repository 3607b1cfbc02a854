// Whether an owner reference refers to an object.
//
// API servers do not validate owner references, so any client can write the uid of an object of
// another tenant. A reference refers to an object only if kind, name and uid are those of the
// object and both are in the same namespace. The apiVersion does not count, as in Kubernetes' own
// index of pods by owner.
#pragma once

#include "model/records/pod.h"
#include "model/records/workload.h"

namespace ebb::model {

inline constexpr std::string_view kReplicaSetKind = "ReplicaSet";
inline constexpr std::string_view kDeploymentKind = "Deployment";

// Both records belong to one pool. The object is a Pod, or one that could not be decoded.
template <class Object>
[[nodiscard]] bool controls(const ReplicaSet& set, const Object& object) {
  return object.controller != nullptr && object.controller->uid == set.uid &&
         object.controller->name == set.name && object.namespace_name == set.namespace_name &&
         object.controller->kind.view() == kReplicaSetKind;
}

// The same check for a ReplicaSet.
template <class Object>
[[nodiscard]] bool controls(const Deployment& deployment, const Object& object) {
  return object.controller != nullptr && object.controller->uid == deployment.uid &&
         object.controller->name == deployment.name &&
         object.namespace_name == deployment.namespace_name &&
         object.controller->kind.view() == kDeploymentKind;
}

// Whether both have the same controller.
[[nodiscard]] inline bool share_controller(const ReplicaSet& a, const ReplicaSet& b) {
  return a.controller != nullptr && b.controller != nullptr &&
         a.controller->uid == b.controller->uid && a.controller->name == b.controller->name &&
         a.controller->kind == b.controller->kind && a.namespace_name == b.namespace_name;
}

}  // namespace ebb::model
