// How ranking goes, group by group, summed up for the policies that ask for it.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "control/policy_reports.h"
#include "control/work_queue.h"

namespace ebb::control {

// How it went with the pods of one ReplicaSet.
struct GroupOutcome {
  Key policy{};
  std::size_t pods = 0;  // that are ranked
  Timestamp changed{};   // when ranks were last written
  std::string reason{};  // of the problem, in one word; empty: there is none
  std::string problem{};

  friend bool operator==(const GroupOutcome&, const GroupOutcome&) = default;
};

class RankReports {
 public:
  explicit RankReports(std::shared_ptr<PolicyReports> reports) : reports_(std::move(reports)) {}

  // Nothing: the group is not ranked (any more).
  void tell(const Key& group, std::optional<GroupOutcome> outcome);
  // A policy that asks for ranks is there, perhaps without anything to rank.
  void introduce(const Key& policy) { sum_up(policy); }
  // Null if it is not ranked.
  [[nodiscard]] const GroupOutcome* of(const Key& group) const;

 private:
  void sum_up(const Key& policy);

  std::shared_ptr<PolicyReports> reports_;
  std::map<Key, GroupOutcome> outcomes_;
  std::map<Key, std::set<Key>> groups_;  // of each policy
};

}  // namespace ebb::control
