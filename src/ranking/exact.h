// Ranks by repeated removal, in mind. Taking any number of pods from the top is as good as taking
// one, ranking the rest anew, taking the next, and so on.
#pragma once

#include <span>

#include "ranking/settings.h"
#include "ranking/strategy.h"

namespace ebb::ranking {

// The first to go has the number of pods as its rank, the last one 1.
//
// It is what a controller would do that is asked for one pod less again and again, so pods that
// serve nobody go before the others (rules 1 to 3 of the removal order): a controller takes them
// first whatever their rank, and what is left has to be right then. Then the highest weighed sum
// goes. Of equal ones the younger goes, and of those created at once the one with the smaller uid
// (rules 10, with exact times, and 11). The rules between depend on the moment, or on pods of other
// workloads, and would change ranks by themselves.
//
// `now` are the ranks by each strategy with all pods there. Takes time quadratic in the number of
// pods, with small steps.
[[nodiscard]] Ranks rank_exactly(const Settings& settings, Pods pods, const Surroundings& around,
                                 std::span<const Ranks> now);

}  // namespace ebb::ranking
