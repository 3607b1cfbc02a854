// One sync of a ReplicaSet, from the cache to the last answer: asks for the next step
// (replica_set_step.h) and sends its calls, until no step is left. It keeps no pointers into the
// store and looks everything up again, because anything may change between two steps.
#pragma once  // private to its room

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "control/controller/controller.h"
#include "control/controller/pending_calls.h"
#include "control/controller/process_settings.h"
#include "control/core/work_budget.h"
#include "control/core/work_queue.h"
#include "control/decisions/decision_queue.h"
#include "control/picker/picker_sessions.h"
#include "control/policy/policy_reports.h"
#include "control/replicaset/replica_set_answers.h"
#include "control/replicaset/replica_set_state.h"
#include "control/replicaset/replica_set_step.h"

namespace ebb::control::replicasets {

// How a sync ended.
struct SyncResult {
  std::optional<std::string> error{};  // sync again after a delay that grows with each failure
  std::optional<Nanoseconds> requeue_after_ns{};
};

class Sync {
 public:
  struct Dependencies {
    const ControllerContext& context;
    const Safeguards& safeguards;
    PendingCalls& pending_calls;
    PickerSessions& picker_sessions;
    PolicyReports& reports;
    DecisionQueue* decisions;  // null: decisions are not written as objects
    const bool& stopping;      // if set, no further batch of creates starts
    bool& protobuf;            // for new pods, until the API server refuses it
    WorkBudget& budget;        // of the controller
  };

  // `state` must stay at its address; its uid changes if the ReplicaSet is replaced.
  Sync(Key key, ReplicaSetState& state, Dependencies deps);

  // Nothing while answers are awaited.
  [[nodiscard]] std::optional<SyncResult> start(Now now);
  // The answer to a pending call of this sync.
  [[nodiscard]] std::optional<SyncResult> answered(const PendingCall& pending, const Answer& answer,
                                                   Now now);
  // Whether a pending call of this sync is still wanted; asked just before it is sent. `epoch`
  // counts the changes of the store.
  [[nodiscard]] bool still_wants(const PendingCall& pending, std::uint64_t epoch);

 private:
  // The ReplicaSet, if it is still the one that the sync started with.
  [[nodiscard]] const ReplicaSet* set() const;
  // Its state, under the same condition; otherwise one that nothing reads.
  [[nodiscard]] ReplicaSetState& state() { return has_state() ? state_ : no_state_; }
  [[nodiscard]] bool has_state() const { return state_.uid == uid_; }
  [[nodiscard]] SyncContext sync_context(Now now);
  [[nodiscard]] Snapshot take_snapshot() const;
  // See Store. Null if this safeguard is off.
  [[nodiscard]] const Pod* unread_pod_of(const ReplicaSet& set) const;

  [[nodiscard]] std::optional<SyncResult> proceed(Now now);
  [[nodiscard]] std::optional<SyncResult> carry_out(Step step, Now now);
  [[nodiscard]] Step scale_down(const Snapshot& snapshot, std::size_t surplus, Now now);
  void report_rank_wait(const RankAdvice& ranks, Now now);
  void report_advice(const Advice& advice, const Snapshot& snapshot, Now now);
  void report(Report report, Now now);
  void leave_protobuf_if_refused(const Answer& answer);
  void report_decision(Now now);
  [[nodiscard]] std::size_t active_now(const ReplicaSet& set, std::uint64_t epoch);
  void record_event(Event event, std::string_view component, Now now);

  Key key_;
  std::string uid_;
  ReplicaSetState& state_;
  ReplicaSetState no_state_;
  Dependencies deps_;
  Progress progress_;
  std::size_t in_flight_ = 0;            // unanswered calls of the step
  std::size_t creations_in_flight_ = 0;  // the creates among them that were sent, not just queued
  // Epoch, and the number of active pods then.
  std::optional<std::pair<std::uint64_t, std::size_t>> active_now_;
};

}  // namespace ebb::control::replicasets
