// The functions behind the table in strategies.cc. Each is in a file named after the strategy,
// which documents its ranks. Arguments are complete and valid.
#pragma once

#include <memory>

#include "ranking/shrinking.h"
#include "ranking/strategy.h"

namespace ebb::ranking {

using Args = boost::json::object;
using ShrinkingPtr = std::unique_ptr<Shrinking>;

[[nodiscard]] Ranks rank_by_topology_spread(Pods, const Args&, const ClusterReader&);
[[nodiscard]] ShrinkingPtr shrink_by_topology_spread(Pods, const Args&, const ClusterReader&);
[[nodiscard]] Ranks rank_by_untolerated_taints(Pods, const Args&, const ClusterReader&);
[[nodiscard]] Ranks rank_by_anti_affinity(Pods, const Args&, const ClusterReader&);
[[nodiscard]] Ranks rank_by_anti_affinity_within_limits(Pods, const Args&, const ClusterReader&,
                                                        Effort& effort);
[[nodiscard]] ShrinkingPtr shrink_by_anti_affinity(Pods, const Args&, const ClusterReader&);
[[nodiscard]] Ranks rank_by_youngest(Pods, const Args&, const ClusterReader&);
[[nodiscard]] ShrinkingPtr shrink_by_youngest(Pods, const Args&, const ClusterReader&);
[[nodiscard]] Ranks rank_by_oldest(Pods, const Args&, const ClusterReader&);
[[nodiscard]] ShrinkingPtr shrink_by_oldest(Pods, const Args&, const ClusterReader&);
[[nodiscard]] Ranks rank_by_node_cost(Pods, const Args&, const ClusterReader&);
[[nodiscard]] Ranks rank_by_pack(Pods, const Args&, const ClusterReader&);
[[nodiscard]] ShrinkingPtr shrink_by_pack(Pods, const Args&, const ClusterReader&);
[[nodiscard]] Ranks rank_by_node_leaving(Pods, const Args&, const ClusterReader&);
[[nodiscard]] Ranks rank_by_weight(Pods, const Args&, const ClusterReader&);

}  // namespace ebb::ranking
