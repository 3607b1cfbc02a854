#include "control/replicaset/replica_set_controller.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/deadline_queue.h"
#include "control/controller/pending_calls.h"
#include "control/core/key_of.h"
#include "control/core/work_budget.h"
#include "control/core/work_queue.h"
#include "control/picker/picker_sessions.h"
#include "control/replicaset/pending_wakeups.h"
#include "control/replicaset/replica_set_status.h"
#include "control/replicaset/replica_set_sync.h"
#include "control/replicaset/unknown_outcomes.h"
#include "control/scaledown/picker_advice.h"
#include "model/records/ownership.h"

namespace ebb::control {
namespace {

using model::Pod;

// No further sync starts while this many calls are unanswered (one burst and a little): decisions
// made long before they can be sent rest on old data and take memory meanwhile. Namespaces share
// them (fair_share.h).
constexpr std::size_t kEnoughToDo = 512;
// Cost of a sync in a turn, in addition to its pods.
constexpr std::uint64_t kUnitsPerSync = 300;

class ReplicaSetController final : public Controller {
 public:
  ReplicaSetController(const ControllerContext& context, Safeguards safeguards,
                       ReplicaSetOutputs outputs)
      : context_(context),
        safeguards_(safeguards),
        outputs_(std::move(outputs)),
        pending_calls_(context_.sink, kEnoughToDo),
        queue_("replicaset", context_.telemetry),
        picker_sessions_(context_.sink, context_.telemetry, context_.pickers, context_.seed),
        protobuf_(context_.protobuf),
        unknown_outcomes_({context_, safeguards_, pending_calls_, queue_, states_}) {}

  [[nodiscard]] std::string_view name() const override { return "replicaset-controller"; }

  void pod_changed(const Change<Pod>& change) override;
  void replica_set_changed(const Change<ReplicaSet>& change) override;
  void policy_changed(const Change<Policy>& change) override;
  void group_cost_changed(const Change<GroupCost>& change) override;
  void answered(CallId id, const Answer& answer, Now now) override;
  void picker_replied(picker::CallId id, const picker::Reply& reply, Now now) override {
    picker_sessions_.replied(id, reply, now);
  }
  [[nodiscard]] bool still_wants(CallId id) override;
  void withheld(CallId id) override;
  void suspended() override {
    watches_foreign_writes_ = false;
    picker_sessions_.drop_all();
  }
  [[nodiscard]] std::optional<GuardedKind> guarded() const override {
    return GuardedKind::kReplicaSets;
  }
  void run(Now now) override;
  [[nodiscard]] Timestamp wake_at() const override;
  // Does not wait for pickers: a successor can call them again.
  void stop() override {
    stopping_ = true;
    picker_sessions_.drop_all();
  }
  [[nodiscard]] bool idle() const override { return syncs_.empty() && pending_calls_.empty(); }

 private:
  // Cache changes.
  void pod_came(const Pod& pod);
  void pod_leaves(const Pod& pod);
  void deletion_seen(const Pod& pod);
  void pod_updated(const Pod& before, const Pod& after);
  // The ReplicaSet that controls the pod, matched by the full owner reference.
  [[nodiscard]] const ReplicaSet* owner_of(const Pod& pod) const;
  [[nodiscard]] Expectations* expectations_of(const ReplicaSet& set);
  void wake(const ReplicaSet& set) { woken_.insert(key_of(set)); }
  // Wakes ReplicaSets that wait for ranks, if they have this name or this owner.
  void wake_waiting(std::string_view namespace_name, const model::TargetRef& target);
  void forget_breakers_of(const ReplicaSet& gone);

  // Signs of another controller.
  [[nodiscard]] bool is_foreign(const Pod& pod, const ReplicaSet& owner);
  [[nodiscard]] bool has_foreign_status(const ReplicaSet& before, const ReplicaSet& after) const;
  void leave_alone_if_suspected(Now now);

  // Work.
  [[nodiscard]] bool has_room(const std::string& namespace_name);
  void begin_sync(const Key& key, Now now);
  void end_sync(const Key& key, const replicasets::SyncResult& result, Now now);

  ControllerContext context_;
  Safeguards safeguards_;
  ReplicaSetOutputs outputs_;
  PendingCalls pending_calls_;
  WorkQueue queue_;
  PickerSessions picker_sessions_;
  bool stopping_ = false;
  bool protobuf_;
  WorkBudget budget_;
  std::set<Key> woken_;          // since the last run()
  std::set<Key> suspected_;      // since the last run(): another controller seems to write them
  bool awaits_answers_ = false;  // every key that is ready waits for answers
  bool watches_foreign_writes_ = false;  // run() was called since suspended()
  std::uint64_t epoch_ = 0;
  std::map<Key, ReplicaSetState> states_;
  PendingWakeups news_{context_.store, states_, woken_};
  std::map<Key, replicasets::Sync> syncs_;
  UnknownOutcomes unknown_outcomes_;
};

const ReplicaSet* ReplicaSetController::owner_of(const Pod& pod) const {
  if (pod.controller == nullptr) return nullptr;
  const ReplicaSet* set =
      context_.store.replica_set(pod.namespace_name.view(), pod.controller->name.view());
  return set != nullptr && model::controls(*set, pod) ? set : nullptr;
}

Expectations* ReplicaSetController::expectations_of(const ReplicaSet& set) {
  const auto found = states_.find(key_of(set));
  if (found == states_.end() || found->second.uid != set.uid.view()) return nullptr;
  return &found->second.expectations;
}

void ReplicaSetController::pod_changed(const Change<Pod>& change) {
  ++epoch_;
  const Pod& pod = change.after != nullptr ? *change.after : *change.before;
  if (change.after == nullptr || pod.deleting) deletion_seen(pod);
  if (change.after == nullptr && change.before->controller == nullptr) {
    return news_.orphan_left(*change.before);
  }
  if (change.after == nullptr) return pod_leaves(*change.before);
  if (change.before == nullptr) return pod_came(*change.after);
  pod_updated(*change.before, *change.after);
}

void ReplicaSetController::deletion_seen(const Pod& pod) {
  const ReplicaSet* const owner = owner_of(pod);
  const auto state = owner == nullptr ? states_.end() : states_.find(key_of(*owner));
  if (state != states_.end()) state->second.unsettled.settle(pod.uid.view(), "deleted");
}

void ReplicaSetController::pod_came(const Pod& pod) {
  if (pod.deleting) return pod_leaves(pod);
  if (pod.controller == nullptr) return news_.orphan_came(pod);
  const ReplicaSet* const owner = owner_of(pod);
  if (owner == nullptr) return;
  if (watches_foreign_writes_ && is_foreign(pod, *owner)) suspected_.insert(key_of(*owner));
  if (Expectations* expectations = expectations_of(*owner)) expectations->saw_pod(pod.uid.view());
  wake(*owner);
}

// True if none of this controller's creates, answered or not, can have made the pod.
bool ReplicaSetController::is_foreign(const Pod& pod, const ReplicaSet& owner) {
  const Expectations* const expectations = expectations_of(owner);
  return expectations != nullptr && !expectations->may_have_created(pod.uid.view());
}

// There may have been other states between these two, so any own write in between explains the
// difference.
bool ReplicaSetController::has_foreign_status(const ReplicaSet& before,
                                              const ReplicaSet& after) const {
  if (same_status(before, after)) return false;
  const Key key = key_of(after);
  const auto state = states_.find(key);
  return state != states_.end() && state->second.uid == after.uid.view() && !syncs_.contains(key) &&
         !state->second.status_unknown && state->second.status_written <= before.revision_seen;
}

// Any client that can write pods or statuses can forge them, so a forged write pauses only the
// ReplicaSet that it affects, for a short time, and no other.
void ReplicaSetController::leave_alone_if_suspected(Now now) {
  constexpr Nanoseconds kBetweenNs = 60 * kNanosecondsPerSecond;
  for (const Key& key : std::exchange(suspected_, {})) {
    const Nanoseconds pause = context_.sink.saw_foreign_write(now);
    const auto state = states_.find(key);
    if (pause == 0 || state == states_.end() || !safeguards_.pauses_suspected_sets) continue;
    Timestamp& until = state->second.left_alone_until;
    if (!until.is_zero() && now.mono < later_by(until, kBetweenNs)) continue;
    until = later_by(now.mono, pause);
  }
}

void ReplicaSetController::pod_leaves(const Pod& pod) {
  const ReplicaSet* const owner = owner_of(pod);
  if (owner == nullptr) return;
  if (Expectations* expectations = expectations_of(*owner)) {
    expectations->saw_pod_leave(pod.uid.view());
  }
  wake(*owner);
}

void ReplicaSetController::pod_updated(const Pod& before, const Pod& after) {
  if (before.revision != 0 && before.revision == after.revision) return;
  const bool other_owner = before.controller != after.controller;
  // The previous owner no longer has it.
  if (other_owner) pod_leaves(before);
  if (after.deleting) return pod_leaves(after);
  if (after.controller == nullptr) {
    if (other_owner || before.labels != after.labels) news_.orphan_came(after);
    return;
  }
  const ReplicaSet* const owner = owner_of(after);
  if (owner == nullptr) return;
  if (after.finished()) return pod_leaves(after);
  wake(*owner);
}

void ReplicaSetController::replica_set_changed(const Change<ReplicaSet>& change) {
  ++epoch_;
  const ReplicaSet& set = change.after != nullptr ? *change.after : *change.before;
  if (watches_foreign_writes_ && change.before != nullptr && change.after != nullptr &&
      has_foreign_status(*change.before, *change.after)) {
    suspected_.insert(key_of(set));
  }
  if (change.after == nullptr) {
    // A successor of the same name must not inherit anything.
    const auto state = states_.find(key_of(set));
    if (state != states_.end()) {
      UnknownDeletes unsettled = std::move(state->second.unsettled);
      state->second = ReplicaSetState();
      state->second.unsettled = std::move(unsettled);
    }
    picker_sessions_.drop(key_of(set));
    forget_breakers_of(set);
  }
  wake(set);
}

void ReplicaSetController::wake_waiting(std::string_view namespace_name,
                                        const model::TargetRef& target) {
  if (!target.is_replica_set()) {
    return news_.owner_changed(namespace_name, target.kind, target.name);
  }
  const ReplicaSet* const set = context_.store.replica_set(namespace_name, target.name);
  const auto state = set == nullptr ? states_.end() : states_.find(key_of(*set));
  if (state != states_.end() && state->second.rank_wait.waits) wake(*set);
}

void ReplicaSetController::policy_changed(const Change<Policy>& change) {
  // A change of the status alone needs no sync.
  if (change.before != nullptr && change.after != nullptr &&
      change.before->generation == change.after->generation) {
    return;
  }
  for (const Policy* policy : {change.before, change.after}) {
    if (policy == nullptr) continue;
    wake_waiting(policy->namespace_name.view(), model::target_of(*policy));
  }
}

void ReplicaSetController::group_cost_changed(const Change<GroupCost>& change) {
  for (const GroupCost* cost : {change.before, change.after}) {
    if (cost == nullptr) continue;
    wake_waiting(cost->namespace_name.view(),
                 {model::kAppsGroup, cost->owner_kind.view(), cost->owner_name.view()});
  }
}

void ReplicaSetController::forget_breakers_of(const ReplicaSet& gone) {
  if (gone.controller == nullptr) return picker_sessions_.forget_workload(workload_of(gone));
  if (context_.store.siblings_of(gone).empty()) picker_sessions_.forget_workload(workload_of(gone));
}

void ReplicaSetController::run(Now now) {
  for (const Key& key : unknown_outcomes_.take_seen()) woken_.insert(key);
  news_.run(now);
  const std::set<Key> woken = std::exchange(woken_, {});
  if (stopping_) return;
  leave_alone_if_suspected(now);
  watches_foreign_writes_ = true;
  picker_sessions_.run(now);
  for (const Key& key : picker_sessions_.take_finished()) queue_.add(key, now);
  for (const Key& key : woken) queue_.add(key, now);
  unknown_outcomes_.run(now);
  const bool may_begin = budget_.begin(now);
  const auto may_take = [this](const std::string& tenant) { return has_room(tenant); };
  awaits_answers_ = false;
  while (may_begin && !awaits_answers_ && !budget_.spent()) {
    if (const auto key = queue_.take(now, may_take)) {
      begin_sync(*key, now);
    } else {
      awaits_answers_ = !budget_.spent();
    }
  }
  queue_.report(now);
}

bool ReplicaSetController::has_room(const std::string& namespace_name) {
  budget_.spend(1);
  return pending_calls_.has_room(namespace_name);
}

Timestamp ReplicaSetController::wake_at() const {
  if (stopping_) return {};
  if (!woken_.empty() || unknown_outcomes_.has_seen()) return kRightAway;
  // If there is no room, an answer makes some and then runs the controller.
  const Timestamp queued =
      budget_.when(awaits_answers_ ? queue_.wake_at_for_delayed() : queue_.wake_at());
  return sooner(news_.wake_at(),
                sooner(picker_sessions_.wake_at(), sooner(queued, unknown_outcomes_.wake_at())));
}

void ReplicaSetController::begin_sync(const Key& key, Now now) {
  if (key == context_.canary) return queue_.done(key, now);
  const ReplicaSet* const set = context_.store.replica_set(key.namespace_name, key.name);
  if (set == nullptr) {
    if (const auto gone = states_.find(key); gone != states_.end()) {
      unknown_outcomes_.report_late_outcomes(gone->second, true, now);
      states_.erase(gone);
    }
    unknown_outcomes_.forget(key);
    queue_.forget_failures(key);
    return queue_.done(key, now);
  }
  budget_.spend(kUnitsPerSync);
  ReplicaSetState& state = states_[key];
  if (state.uid != set->uid.view()) {
    unknown_outcomes_.report_late_outcomes(state, true, now);
    state = ReplicaSetState();
    state.uid = set->uid.view();
  }
  if (now.mono < state.left_alone_until) {
    queue_.done(key, now);
    return queue_.add_after(key, elapsed_ns(now.mono, state.left_alone_until), now);
  }
  if (safeguards_.stale_cache_protection) {
    if (const auto behind = state.written.behind(context_.store)) {
      context_.telemetry.count(Count::kStaleSyncSkips, plural(*behind));
      queue_.add_after_failure(key, now);
      return queue_.done(key, now);
    }
  }
  state.expectations.saw_all_up_to(context_.store.seen(Resource::kPods));
  unknown_outcomes_.report_late_outcomes(state, state.expectations.satisfied(), now);
  const auto sync = syncs_.try_emplace(
      key, key, state,
      replicasets::Sync::Dependencies{context_, safeguards_, pending_calls_, picker_sessions_,
                                      *outputs_.reports, outputs_.decisions.get(), stopping_,
                                      protobuf_, budget_});
  if (const auto result = sync.first->second.start(now)) end_sync(key, *result, now);
}

void ReplicaSetController::end_sync(const Key& key, const replicasets::SyncResult& result,
                                    Now now) {
  if (result.error) {
    if (context_.telemetry.logs(1)) {
      context_.telemetry.log(
          Severity::kWarning, 1,
          fmt::format("retrying the sync of ReplicaSet {}/{}: {}", key.namespace_name, key.name,
                      *result.error),
          {{"replicaSet", ObjectName{key.namespace_name, key.name}}, {"err", *result.error}});
    }
    queue_.add_after_failure(key, now);
  } else {
    queue_.forget_failures(key);
    // This also covers pods that have just become Ready: every sync of their owner computes the
    // exact time at which the next of them counts as available.
    if (result.requeue_after_ns) queue_.add_after(key, *result.requeue_after_ns, now);
  }
  syncs_.erase(key);
  unknown_outcomes_.schedule(key);
  queue_.done(key, now);
}

void ReplicaSetController::answered(CallId id, const Answer& answer, Now now) {
  awaits_answers_ = false;
  const auto pending = pending_calls_.answered(id);
  if (!pending) return picker_sessions_.answered(id, answer, now);
  if (pending->what == PendingCall::What::kRepeatDelete ||
      pending->what == PendingCall::What::kListPods) {
    return unknown_outcomes_.answered(*pending, answer, now);
  }
  const auto result = syncs_.at(pending->key).answered(*pending, answer, now);
  // The follow-up need not wait for the end of the sync.
  if (answer.unknown()) unknown_outcomes_.schedule(pending->key);
  if (result) end_sync(pending->key, *result, now);
}

// The call counts as no longer wanted, not as failed, so its sync is not retried. The key is
// queued, because nothing else may wake it after the pause.
void ReplicaSetController::withheld(CallId id) {
  PendingCall* const pending = pending_calls_.find(id);
  if (pending == nullptr) return;
  pending->withdrawn = true;
  woken_.insert(pending->key);
}

bool ReplicaSetController::still_wants(CallId id) {
  PendingCall* const pending = pending_calls_.find(id);
  if (pending == nullptr) return picker_sessions_.wants(id);
  if (pending->what == PendingCall::What::kListPods) return true;
  const bool wanted = pending->what == PendingCall::What::kRepeatDelete
                          ? unknown_outcomes_.still_wants_repeat(*pending)
                          : syncs_.at(pending->key).still_wants(*pending, epoch_);
  pending->confirmed = pending->confirmed || wanted;
  pending->withdrawn = !wanted;
  return wanted;
}

}  // namespace

std::unique_ptr<Controller> make_replica_set_controller(const ControllerContext& context,
                                                        Safeguards safeguards) {
  return make_replica_set_controller(context, safeguards,
                                     {.reports = std::make_shared<PolicyReports>()});
}

std::unique_ptr<Controller> make_replica_set_controller(const ControllerContext& context,
                                                        Safeguards safeguards,
                                                        ReplicaSetOutputs outputs) {
  return std::make_unique<ReplicaSetController>(context, safeguards, std::move(outputs));
}

}  // namespace ebb::control
