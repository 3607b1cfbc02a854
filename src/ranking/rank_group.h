// The ranks of the pods of a ReplicaSet by all strategies of a policy.
#pragma once

#include <vector>

#include "ranking/settings.h"
#include "ranking/strategy.h"

namespace ebb::ranking {

struct GroupRanks {
  Ranks of_pods;                   // what is published, parallel to the pods
  std::vector<Ranks> by_strategy;  // parallel to the strategies, before threshold and weight
  Effort effort;
};

// Each rank is the sum of the strategies' ranks, each limited to its threshold and multiplied by
// its weight. If a sum does not fit an int32, all sums are replaced by their places: only the order
// counts. With `exact`, pods are removed one by one on paper and the rest is ranked again each
// time; the ranks are then the places in that order, and the first to go has the highest.
//
// The work is limited (limits.h). A group that is too large for an exact order is ranked without
// one, unless the settings are unbounded.
[[nodiscard]] GroupRanks rank_group(const Settings& settings, Pods pods,
                                    const ClusterReader& cluster);

}  // namespace ebb::ranking
