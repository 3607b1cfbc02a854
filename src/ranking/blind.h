// Finds strategies without any data to rank by, which is legal but rarely intended.
#pragma once

#include <string>
#include <vector>

#include "ranking/settings.h"
#include "ranking/strategy.h"

namespace ebb::ranking {

// One sentence for each strategy whose label is missing on all nodes of these pods. Empty if no pod
// has a known node.
[[nodiscard]] std::vector<std::string> find_blind_strategies(const Settings& settings, Pods pods,
                                                             const ClusterReader& cluster);

}  // namespace ebb::ranking
