#include "ranking/rank_group.h"

#include <algorithm>
#include <limits>

#include "base/check.h"
#include "ranking/exact.h"
#include "ranking/weighed_sum.h"
#include "schema/ranking_rules.h"

namespace ebb::ranking {
namespace {

constexpr std::int64_t kMostOfARank = std::int64_t{1} << 31;
static_assert(static_cast<std::int64_t>(schema::kMostStrategies) * schema::kMostStrategyWeight <
              std::numeric_limits<std::int64_t>::max() / kMostOfARank);

bool is_within_the_rules(const Settings& settings) {
  return settings.strategies.size() <= schema::kMostStrategies &&
         std::all_of(settings.strategies.begin(), settings.strategies.end(),
                     [](const Weighed& how) {
                       return -schema::kMostStrategyWeight <= how.weight &&
                              how.weight <= schema::kMostStrategyWeight;
                     });
}

}  // namespace

GroupRanks rank_group(const Settings& settings, Pods pods, const Surroundings& around) {
  EBB_CHECK(is_within_the_rules(settings));
  GroupRanks result;
  result.by_strategy.reserve(settings.strategies.size());
  std::vector<std::int64_t> sums(pods.size(), 0);
  for (const Weighed& how : settings.strategies) {
    const Ranks& ranks =
        result.by_strategy.emplace_back(how.strategy->rank(pods, how.args, around));
    EBB_CHECK(ranks.size() == pods.size());
    for (std::size_t i = 0; i < pods.size(); ++i) sums[i] += weigh(ranks[i], how);
  }
  result.of_pods =
      settings.exact ? rank_exactly(settings, pods, around, result.by_strategy) : as_ranks(sums);
  return result;
}

}  // namespace ebb::ranking
