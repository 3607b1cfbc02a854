// How crowded each node is with pods of the same workload.
#pragma once

#include <cstdint>
#include <span>

#include <boost/unordered/unordered_flat_map.hpp>

#include "model/pod.h"
#include "model/workload.h"

namespace ebb::order {

// Active related pods per node; unassigned pods share the empty node name.
using NodeCounts = boost::unordered_flat_map<model::Interned, std::uint32_t>;

// Related to a ReplicaSet that has a controller are all pods that match the
// selector of any ReplicaSet with the same controller, whoever owns them. A
// stand-alone ReplicaSet has only its own pods: `own`, those it claims. (Upstream
// counts nothing for those, against its own documentation.)
[[nodiscard]] NodeCounts count_related(const model::ReplicaSet& set,
                                       std::span<const model::ReplicaSet* const> all_sets,
                                       std::span<const model::Pod* const> all_pods,
                                       std::span<const model::Pod* const> own);

}  // namespace ebb::order
