// Pods by age. A pod without a creation time counts as the youngest, as in the removal order.
#pragma once  // private to its room

#include <cstddef>
#include <vector>

#include "ranking/strategy.h"

namespace ebb::ranking {

// Created earlier; at equal times, the pod whose name sorts first.
[[nodiscard]] bool is_older(const model::Pod& a, const model::Pod& b);

// Indices of the pods, the oldest first.
[[nodiscard]] std::vector<std::size_t> oldest_first(Pods pods);

}  // namespace ebb::ranking
