#include "ranking/weighed_sum.h"

#include <algorithm>
#include <limits>

namespace ebb::ranking {
namespace {

constexpr std::int64_t kMaxRank = std::numeric_limits<std::int32_t>::max();

bool is_rank(std::int64_t sum) { return -kMaxRank <= sum && sum <= kMaxRank; }

}  // namespace

Ranks as_ranks(std::span<const std::int64_t> sums) {
  Ranks ranks(sums.size());
  if (std::all_of(sums.begin(), sums.end(), is_rank)) {
    std::transform(sums.begin(), sums.end(), ranks.begin(),
                   [](std::int64_t sum) { return static_cast<std::int32_t>(sum); });
    return ranks;
  }
  std::vector<std::int64_t> distinct(sums.begin(), sums.end());
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  std::transform(sums.begin(), sums.end(), ranks.begin(), [&](std::int64_t sum) {
    const auto place = std::lower_bound(distinct.begin(), distinct.end(), sum);
    return static_cast<std::int32_t>(place - distinct.begin() + 1);
  });
  return ranks;
}

}  // namespace ebb::ranking
