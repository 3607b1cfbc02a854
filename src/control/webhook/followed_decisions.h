// Follows the decisions that were made until it is known which pods really went, and records them
// then: for the log, as an event, as an object, and in the status of the policy.
//
// The stock controller deletes the pods, so all of this is seen in the cache only. A decision is
// over when no surplus is left, when a later one for the same ReplicaSet is made, or after a while.
#pragma once  // private to its room

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "control/controller/controller.h"
#include "control/core/decision.h"
#include "control/core/pod_name.h"
#include "control/core/work_queue.h"
#include "control/decisions/decision_queue.h"
#include "control/policy/policy_reports.h"
#include "control/webhook/known_decisions.h"

namespace ebb::control {

struct FollowedDecision {
  Decision decision{};
  Key set{};
  SetId id{};
  std::vector<PodName> others{};  // the candidates that were not chosen
  std::string policy{};           // that named the picker, or empty
  bool breaker_open = false;
  // The costs have been written, or the time for that is over.
  bool written = false;
  std::size_t unwritten = 0;  // victims without the cost
  Timestamp until{};
};

class FollowedDecisions {
 public:
  static constexpr Nanoseconds kFollowNs = 30 * kNanosecondsPerSecond;

  // `decisions` may be null: they are not written as objects.
  FollowedDecisions(const ControllerContext& context, std::shared_ptr<PolicyReports> reports,
                    std::shared_ptr<DecisionQueue> decisions)
      : context_(context), reports_(std::move(reports)), decisions_(std::move(decisions)) {}

  // Ends an earlier decision for the same ReplicaSet.
  void begin(FollowedDecision followed, Now now);
  void written(std::string_view decision, std::size_t unwritten);
  // A pod of the ReplicaSet has changed.
  void pod_changed(const SetId& set);
  void run(Now now);
  // Records everything as it is.
  void finish_all(Now now);
  [[nodiscard]] Timestamp wake_at() const;
  [[nodiscard]] bool empty() const { return followed_.empty(); }

 private:
  [[nodiscard]] bool is_there(const Key& set, std::string_view name, std::string_view uid) const;
  [[nodiscard]] bool has_surplus(const FollowedDecision& followed) const;
  void finish(FollowedDecision followed, std::string_view otherwise, Now now);
  void publish(const FollowedDecision& followed, Now now);

  ControllerContext context_;
  std::shared_ptr<PolicyReports> reports_;
  std::shared_ptr<DecisionQueue> decisions_;
  std::vector<FollowedDecision> followed_;
  std::set<SetId> changed_;
};

}  // namespace ebb::control
