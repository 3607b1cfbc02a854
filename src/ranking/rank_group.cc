#include "ranking/rank_group.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "ranking/exact.h"
#include "ranking/weighed_sum.h"
#include "schema/core/ranking_rules.h"

namespace ebb::ranking {
namespace {

constexpr std::int64_t kMaxPerPriority = std::int64_t{1} << 31;
static_assert(static_cast<std::int64_t>(schema::kMaxStrategies) * schema::kMaxStrategyWeight <
              std::numeric_limits<std::int64_t>::max() / kMaxPerPriority);

bool is_within_the_rules(const Settings& settings) {
  return settings.strategies.size() <= schema::kMaxStrategies &&
         std::all_of(settings.strategies.begin(), settings.strategies.end(),
                     [](const Weighed& how) {
                       return -schema::kMaxStrategyWeight <= how.weight &&
                              how.weight <= schema::kMaxStrategyWeight;
                     });
}

// Reuses the ranks of an equal strategy.
Ranks rank_by(const Weighed& how, const Settings& settings, Pods pods, const ClusterReader& cluster,
              GroupRanks& so_far) {
  for (std::size_t i = 0; i < so_far.by_strategy.size(); ++i) {
    const Weighed& earlier = settings.strategies[i];
    if (earlier.strategy == how.strategy && earlier.args == how.args) return so_far.by_strategy[i];
  }
  if (how.strategy->rank_within_limits == nullptr) {
    return how.strategy->rank(pods, how.args, cluster);
  }
  Effort effort;
  Ranks ranks = how.strategy->rank_within_limits(pods, how.args, cluster, effort);
  so_far.effort.units += effort.units;
  std::move(effort.limits.begin(), effort.limits.end(), std::back_inserter(so_far.effort.limits));
  return ranks;
}

}  // namespace

GroupRanks rank_group(const Settings& settings, Pods pods, const ClusterReader& cluster) {
  EBB_CHECK(is_within_the_rules(settings));
  GroupRanks result;
  result.by_strategy.reserve(settings.strategies.size());
  std::vector<std::int64_t> sums(pods.size(), 0);
  for (const Weighed& how : settings.strategies) {
    const Ranks& ranks =
        result.by_strategy.emplace_back(rank_by(how, settings, pods, cluster, result));
    EBB_CHECK(ranks.size() == pods.size());
    std::transform(ranks.begin(), ranks.end(), sums.begin(), sums.begin(),
                   [&](std::int32_t rank, std::int64_t sum) { return sum + weigh(rank, how); });
  }
  result.effort.units += pods.size() * (settings.strategies.size() + 1);
  if (settings.exact) {
    auto exact = rank_exactly(settings, pods, cluster, result.by_strategy, result.effort);
    if (exact) {
      result.of_pods = *std::move(exact);
      return result;
    }
    result.effort.limits.push_back(fmt::format(
        "ranks are not exact: {} pods are too many for an exact order with these strategies",
        pods.size()));
  }
  result.of_pods = as_ranks(sums);
  return result;
}

}  // namespace ebb::ranking
