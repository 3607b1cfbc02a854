// The table of strategies. Names, arguments and descriptions are in schema/core/ranking_rules.cc,
// in the same order; strategies_test.cc compares the two.
#include <algorithm>
#include <array>

#include "ranking/rank_by.h"
#include "ranking/strategy.h"

namespace ebb::ranking {
namespace {

constexpr std::array kStrategies{
    Strategy{.name = "TopologySpread",
             .reads_nodes = true,
             .rank = rank_by_topology_spread,
             .shrink = shrink_by_topology_spread},
    Strategy{.name = "UntoleratedTaints", .reads_nodes = true, .rank = rank_by_untolerated_taints},
    // A removal also resolves violations of other pods, in other groups too.
    Strategy{.name = "AntiAffinity",
             .recomputes = true,
             .reads_nodes = true,
             .reads_other_pods = true,
             .rank = rank_by_anti_affinity,
             .rank_within_limits = rank_by_anti_affinity_within_limits,
             .shrink = shrink_by_anti_affinity},
    Strategy{.name = "Youngest", .rank = rank_by_youngest, .shrink = shrink_by_youngest},
    Strategy{.name = "Oldest", .rank = rank_by_oldest, .shrink = shrink_by_oldest},
    Strategy{.name = "NodeCost", .reads_nodes = true, .rank = rank_by_node_cost},
    Strategy{
        .name = "Pack", .reads_other_pods = true, .rank = rank_by_pack, .shrink = shrink_by_pack},
    Strategy{.name = "NodeLeaving", .reads_nodes = true, .rank = rank_by_node_leaving},
    Strategy{.name = "Weight", .rank = rank_by_weight},
};

}  // namespace

std::span<const Strategy> strategies() { return kStrategies; }

const Strategy* find_strategy(std::string_view name) {
  const auto* const found =
      std::find_if(kStrategies.begin(), kStrategies.end(),
                   [&](const Strategy& strategy) { return strategy.name == name; });
  return found == kStrategies.end() ? nullptr : found;
}

}  // namespace ebb::ranking
