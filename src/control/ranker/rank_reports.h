// The results of ranking, by group, summed up for the policies that ask for it.
#pragma once  // private to its room

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "control/core/work_queue.h"
#include "control/policy/policy_reports.h"

namespace ebb::control {

// The result for the pods of one ReplicaSet.
struct GroupOutcome {
  Key policy{};
  std::size_t pods = 0;  // number of ranked pods
  Timestamp changed{};   // when ranks were last written
  std::string reason{};  // of the problem, in one word; empty: no problem
  std::string problem{};
  std::string limit{};  // what was left out of the ranks; empty: nothing
  PolicyReports::Contest contest{};

  friend bool operator==(const GroupOutcome&, const GroupOutcome&) = default;
};

class RankReports {
 public:
  explicit RankReports(std::shared_ptr<PolicyReports> reports) : reports_(std::move(reports)) {}

  // Nothing: the group is not ranked (any more).
  void report(const Key& group, std::optional<GroupOutcome> outcome);
  // Adds a policy that asks for ranks, even if it has nothing to rank.
  void introduce(const Key& policy) { sum_up(policy); }
  // Null if it is not ranked.
  [[nodiscard]] const GroupOutcome* of(const Key& group) const;
  // The groups that are ranked for a policy.
  [[nodiscard]] const std::set<Key>& groups_of(const Key& policy) const;

 private:
  void sum_up(const Key& policy);

  std::shared_ptr<PolicyReports> reports_;
  std::map<Key, GroupOutcome> outcomes_;
  std::map<Key, std::set<Key>> groups_;  // by policy
};

}  // namespace ebb::control
