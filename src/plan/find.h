// Looking up workloads in a snapshot, and what belongs to them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/snapshot.h"
#include "plan/plan.h"

namespace ebb::plan {

// An error says in which other namespaces there is one of that name, or what
// there is instead.
// The namespaces that have a workload of this name, in their order.
[[nodiscard]] std::vector<std::string> namespaces_with(const model::Snapshot& snapshot,
                                                       Request::Kind kind, std::string_view name);

[[nodiscard]] Result<const model::ReplicaSet*> find_replica_set(const model::Snapshot& snapshot,
                                                                std::string_view name_space,
                                                                std::string_view name);
[[nodiscard]] Result<const model::Deployment*> find_deployment(const model::Snapshot& snapshot,
                                                               std::string_view name_space,
                                                               std::string_view name);

// The ReplicaSets a Deployment controls.
[[nodiscard]] std::vector<const model::ReplicaSet*> sets_of(const model::Snapshot& snapshot,
                                                            const model::Deployment& deployment);

// Whether a picker is configured for a ReplicaSet: in its own field or by a policy
// on it or on its Deployment; that is `tried`, if one is.
[[nodiscard]] bool has_picker(const model::Snapshot& snapshot, const model::ReplicaSet& set,
                              const TriedPolicy* tried = nullptr);

// Whether another ReplicaSet of its Deployment has pods, or is to have some.
[[nodiscard]] bool is_rolling(const model::Snapshot& snapshot, const model::ReplicaSet& set);

}  // namespace ebb::plan
