// Looks up workloads, and the objects that belong to them, in a snapshot.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/records/snapshot.h"
#include "plan/plan.h"

namespace ebb::plan {

// The namespaces that have a workload of this name, sorted.
[[nodiscard]] std::vector<std::string> namespaces_with(const model::Snapshot& snapshot,
                                                       Request::Kind kind, std::string_view name);

// An error lists the other namespaces that have a workload of this name, or the workloads that
// exist instead.
[[nodiscard]] Result<const model::ReplicaSet*> find_replica_set(const model::Snapshot& snapshot,
                                                                std::string_view namespace_name,
                                                                std::string_view name);
[[nodiscard]] Result<const model::Deployment*> find_deployment(const model::Snapshot& snapshot,
                                                               std::string_view namespace_name,
                                                               std::string_view name);

// The ReplicaSets that a Deployment controls.
[[nodiscard]] std::vector<const model::ReplicaSet*> sets_of(const model::Snapshot& snapshot,
                                                            const model::Deployment& deployment);

// Whether a picker is configured for a ReplicaSet: in its own field or by a policy on it or on its
// Deployment. `tried` is that policy, if given.
[[nodiscard]] bool has_picker(const model::Snapshot& snapshot, const model::ReplicaSet& set,
                              const TriedPolicy* tried = nullptr);

// Whether another ReplicaSet of its owner has pods or wants some.
[[nodiscard]] bool is_rolling(const model::Snapshot& snapshot, const model::ReplicaSet& set);

}  // namespace ebb::plan
