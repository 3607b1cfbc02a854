// The functions behind the table in strategies.cc. Each stands in a file of its own, named after
// the strategy, which says what its ranks are. Arguments are complete and valid.
#pragma once

#include <memory>

#include "ranking/shrinking.h"
#include "ranking/strategy.h"

namespace ebb::ranking {

using Args = boost::json::object;
using ShrinkingPtr = std::unique_ptr<Shrinking>;

[[nodiscard]] Ranks rank_by_topology_spread(Pods, const Args&, const Surroundings&);
[[nodiscard]] ShrinkingPtr shrink_by_topology_spread(Pods, const Args&, const Surroundings&);
[[nodiscard]] Ranks rank_by_untolerated_taints(Pods, const Args&, const Surroundings&);
[[nodiscard]] Ranks rank_by_anti_affinity(Pods, const Args&, const Surroundings&);
[[nodiscard]] ShrinkingPtr shrink_by_anti_affinity(Pods, const Args&, const Surroundings&);
[[nodiscard]] Ranks rank_by_youngest(Pods, const Args&, const Surroundings&);
[[nodiscard]] ShrinkingPtr shrink_by_youngest(Pods, const Args&, const Surroundings&);
[[nodiscard]] Ranks rank_by_oldest(Pods, const Args&, const Surroundings&);
[[nodiscard]] ShrinkingPtr shrink_by_oldest(Pods, const Args&, const Surroundings&);
[[nodiscard]] Ranks rank_by_node_cost(Pods, const Args&, const Surroundings&);
[[nodiscard]] Ranks rank_by_pack(Pods, const Args&, const Surroundings&);
[[nodiscard]] ShrinkingPtr shrink_by_pack(Pods, const Args&, const Surroundings&);
[[nodiscard]] Ranks rank_by_node_leaving(Pods, const Args&, const Surroundings&);
[[nodiscard]] Ranks rank_by_weight(Pods, const Args&, const Surroundings&);

}  // namespace ebb::ranking
