// Ranks by simulated removal. Taking any number of pods from the top gives the same result as
// taking one, ranking the rest again, taking the next, and so on.
#pragma once  // private to its room

#include <optional>
#include <span>

#include "ranking/settings.h"
#include "ranking/strategy.h"

namespace ebb::ranking {

// The first pod to go has the number of pods as its rank, the last one 1.
//
// The result is that of a controller that repeatedly removes one pod. So pods that serve no traffic
// go before the others (rules 1 to 3 of the removal order): a controller removes them first
// whatever their rank, and the ranks of the rest must be right then. After these, the highest
// weighed sum goes. At equal sums the younger pod goes, and at equal creation times the one with
// the smaller uid (rules 10, with exact times, and 11). The rules between depend on the time or on
// pods of other workloads, and would change ranks by themselves.
//
// `now` holds the ranks by each strategy with all pods present. Takes time quadratic in the number
// of pods, with small steps. Returns nothing if that exceeds kMaxExactSteps and the settings are
// bounded.
[[nodiscard]] std::optional<Ranks> rank_exactly(const Settings& settings, Pods pods,
                                                const ClusterReader& cluster,
                                                std::span<const Ranks> now, Effort& effort);

}  // namespace ebb::ranking
