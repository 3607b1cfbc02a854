#include "ranking/weighed_sum.h"

#include <algorithm>
#include <limits>

#include "base/check.h"
#include "schema/ranking_rules.h"

namespace ebb::ranking {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();

static_assert(schema::kMostStrategyWeight * static_cast<std::int64_t>(schema::kMostStrategies) <
              std::numeric_limits<std::int64_t>::max() / (kMost + 1));

bool is_rank(std::int64_t sum) { return -kMost <= sum && sum <= kMost; }

}  // namespace

std::int64_t weigh(std::int32_t rank, const Weighed& how) {
  EBB_CHECK(-schema::kMostStrategyWeight <= how.weight &&
            how.weight <= schema::kMostStrategyWeight);
  return std::int64_t{std::min(rank, how.threshold.value_or(rank))} * how.weight;
}

Ranks as_ranks(std::span<const std::int64_t> sums) {
  Ranks ranks;
  ranks.reserve(sums.size());
  if (std::all_of(sums.begin(), sums.end(), is_rank)) {
    for (const std::int64_t sum : sums) ranks.push_back(static_cast<std::int32_t>(sum));
    return ranks;
  }
  std::vector<std::int64_t> distinct(sums.begin(), sums.end());
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  for (const std::int64_t sum : sums) {
    const auto place = std::lower_bound(distinct.begin(), distinct.end(), sum);
    ranks.push_back(static_cast<std::int32_t>(place - distinct.begin() + 1));
  }
  return ranks;
}

}  // namespace ebb::ranking
