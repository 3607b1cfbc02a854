// Combines several strategies into one number.
#pragma once  // private to its room

#include <cstdint>
#include <span>
#include <vector>

#include "ranking/settings.h"
#include "ranking/strategy.h"

namespace ebb::ranking {

// The contribution of a rank: at most the threshold, times the weight. The rules for policies limit
// weights and strategies so that no sum overflows.
[[nodiscard]] inline std::int64_t weigh(std::int32_t rank, const Weighed& how) {
  const std::int32_t counted = how.threshold && *how.threshold < rank ? *how.threshold : rank;
  return std::int64_t{counted} * how.weight;
}

// The sums as ranks: unchanged if all fit, otherwise their places 1, 2, 3, ... INT32_MIN does not
// fit, because it cannot be negated.
[[nodiscard]] Ranks as_ranks(std::span<const std::int64_t> sums);

}  // namespace ebb::ranking
