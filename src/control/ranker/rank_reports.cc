#include "control/ranker/rank_reports.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace ebb::control {

void RankReports::report(const Key& group, std::optional<GroupOutcome> outcome) {
  const auto known = outcomes_.find(group);
  if (known != outcomes_.end() && outcome && known->second == *outcome) return;
  if (known != outcomes_.end()) {
    const Key policy = known->second.policy;
    groups_[policy].erase(group);
    outcomes_.erase(known);
    if (!outcome || outcome->policy != policy) sum_up(policy);
  }
  if (!outcome) return;
  const Key policy = outcome->policy;
  groups_[policy].insert(group);
  outcomes_.emplace(group, std::move(*outcome));
  sum_up(policy);
}

const GroupOutcome* RankReports::of(const Key& group) const {
  const auto known = outcomes_.find(group);
  return known == outcomes_.end() ? nullptr : &known->second;
}

const std::set<Key>& RankReports::groups_of(const Key& policy) const {
  static const std::set<Key> kNone;
  const auto known = groups_.find(policy);
  return known == groups_.end() ? kNone : known->second;
}

void RankReports::sum_up(const Key& policy) {
  PolicyReports::Ranked sum;
  const auto groups = groups_.find(policy);
  if (groups != groups_.end()) {
    for (const Key& group : groups->second) {
      const GroupOutcome& outcome = outcomes_.at(group);
      if (outcome.pods > 0) ++sum.replica_sets;
      sum.pods += outcome.pods;
      sum.changed = std::max(sum.changed, outcome.changed);
      if (!outcome.reason.empty() && sum.reason.empty()) {
        sum.reason = outcome.reason;
        sum.problem = fmt::format("ReplicaSet {}: {}", group.name, outcome.problem);
      }
      if (!outcome.limit.empty() && sum.limit.empty()) {
        sum.limit = fmt::format("ReplicaSet {}: {}", group.name, outcome.limit);
      }
      if (sum.contest.reason.empty()) sum.contest = outcome.contest;
    }
    if (groups->second.empty()) groups_.erase(groups);
  }
  reports_->ranked(policy, std::move(sum));
}

}  // namespace ebb::control
