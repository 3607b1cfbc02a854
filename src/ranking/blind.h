// Strategies that have nothing to go by, which is legal and seldom meant.
#pragma once

#include <string>
#include <vector>

#include "ranking/settings.h"
#include "ranking/strategy.h"

namespace ebb::ranking {

// A sentence for each strategy that reads a label which none of the nodes of these pods has.
// Nothing where no pod has a node that is known.
[[nodiscard]] std::vector<std::string> find_blind_strategies(const Settings& settings, Pods pods,
                                                             const Surroundings& around);

}  // namespace ebb::ranking
