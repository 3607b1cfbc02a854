// The ranks of the pods of a ReplicaSet by everything that a policy weighs.
#pragma once

#include <vector>

#include "ranking/settings.h"
#include "ranking/strategy.h"

namespace ebb::ranking {

struct GroupRanks {
  Ranks of_pods;                   // what is published, parallel to the pods
  std::vector<Ranks> by_strategy;  // parallel to the strategies, before threshold and weight
};

// Each rank is the sum of what strategies say, none above its threshold, times their weights. Where
// such a sum is no int32, all are replaced by their places: only the order counts. With `exact`,
// pods are removed one by one, in mind, and what is left is ranked anew each time; ranks are then
// the places in that order, the first to go having the highest.
[[nodiscard]] GroupRanks rank_group(const Settings& settings, Pods pods,
                                    const Surroundings& around);

}  // namespace ebb::ranking
