// Several strategies in one number.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ranking/settings.h"
#include "ranking/strategy.h"

namespace ebb::ranking {

// What a rank counts for: no more than the threshold, times the weight. Rules for policies limit
// weights and strategies so that no sum of these overflows.
[[nodiscard]] inline std::int64_t weigh(std::int32_t rank, const Weighed& how) {
  const std::int32_t counted = how.threshold && *how.threshold < rank ? *how.threshold : rank;
  return std::int64_t{counted} * how.weight;
}

// The sums as ranks: themselves, or, if one of them is none, their places 1, 2, 3, ... INT32_MIN is
// none, because its sign cannot be turned.
[[nodiscard]] Ranks as_ranks(std::span<const std::int64_t> sums);

}  // namespace ebb::ranking
