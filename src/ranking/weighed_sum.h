// Several strategies in one number.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ranking/settings.h"
#include "ranking/strategy.h"

namespace ebb::ranking {

// What a rank counts for: no more than the threshold, times the weight. In 64 bits the sum of as
// many of these as a policy may have never overflows.
[[nodiscard]] std::int64_t weigh(std::int32_t rank, const Weighed& how);

// The sums as ranks: themselves, or, if one of them is none, their places 1, 2, 3, ... INT32_MIN is
// none, because its sign cannot be turned.
[[nodiscard]] Ranks as_ranks(std::span<const std::int64_t> sums);

}  // namespace ebb::ranking
