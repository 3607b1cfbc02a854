// Work of the ReplicaSet controller between syncs: repeats deletes of unknown outcome, and looks
// for pods whose creation has an unknown outcome.
#pragma once  // private to its room

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline_queue.h"
#include "control/controller/controller.h"
#include "control/controller/pending_calls.h"
#include "control/controller/process_settings.h"
#include "control/core/awaited_revisions.h"
#include "control/core/work_queue.h"
#include "control/replicaset/replica_set_state.h"

namespace ebb::control {

class UnknownOutcomes {
 public:
  struct Dependencies {
    const ControllerContext& context;
    const Safeguards& safeguards;
    PendingCalls& pending_calls;
    WorkQueue& queue;
    std::map<Key, ReplicaSetState>& states;
  };

  explicit UnknownOutcomes(Dependencies deps) : deps_(deps) {}

  // Call whenever the expectations may have changed: schedules the work they need.
  void schedule(const Key& key);
  void forget(const Key& key) { attention_.erase(key); }
  // Does what is due.
  void run(Now now);
  [[nodiscard]] Timestamp wake_at() const { return attention_.next(); }
  // ReplicaSets for which the cache has shown all awaited pods, or never will.
  [[nodiscard]] std::vector<Key> take_seen();
  [[nodiscard]] bool has_seen() const;

  // For a pending call that was sent from here.
  [[nodiscard]] bool still_wants_repeat(const PendingCall& pending);
  void answered(const PendingCall& pending, const Answer& answer, Now now);
  // Reports the outcomes of deletes of unknown outcome, as soon as all of them are known or no more
  // will be learnt.
  void report_late_outcomes(ReplicaSetState& state, bool nothing_more_will_come, Now now);

 private:
  void process(const Key& key, Now now);
  [[nodiscard]] bool may_repeat(const ReplicaSet& set, const Expectations& expectations) const;
  void repeat_deletes(const Key& key, ReplicaSetState& state, Now now);
  void repeat_answered(const PendingCall& pending, const Answer& answer, Now now);
  void list_answered(const PendingCall& pending, const Answer& answer, Now now);
  void report_not_gone(const PendingCall& pending, const LivePods& pods,
                       const Expectations& expectations, Now now);
  void record_event(const PendingCall& pending, bool warning, std::string_view reason,
                    std::string message, Now now);

  Dependencies deps_;
  DeadlineQueue<Key> attention_;  // when expectations need work
  AwaitedRevisions awaited_;      // revisions at which the cache has shown the pods, or never will
};

}  // namespace ebb::control
