// Counts the related pods on each node.
#pragma once

#include <cstdint>
#include <span>

#include <boost/unordered/unordered_flat_map.hpp>

#include "model/records/pod.h"
#include "model/records/workload.h"

namespace ebb::order {

// Active related pods by node; unassigned pods share the empty node name.
using NodeCounts = boost::unordered_flat_map<model::Interned, std::uint32_t>;

// For a ReplicaSet with a controller, all pods that match the selector of any ReplicaSet with the
// same controller are related, regardless of their owner. For a stand-alone ReplicaSet, only its
// own pods are: `own`, those it claims. (Upstream counts nothing in that case, contrary to its
// documentation.)
[[nodiscard]] NodeCounts count_related(const model::ReplicaSet& set,
                                       std::span<const model::ReplicaSet* const> all_sets,
                                       std::span<const model::Pod* const> all_pods,
                                       std::span<const model::Pod* const> own);

}  // namespace ebb::order
