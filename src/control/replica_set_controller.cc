#include "control/replica_set_controller.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/agenda.h"
#include "control/errands.h"
#include "control/loose_ends.h"
#include "control/picker_desk.h"
#include "control/replica_set_pass.h"
#include "control/work_queue.h"

namespace ebb::control {
namespace {

using model::Pod;

// Before every other time, and not the zero time.
constexpr Timestamp kRightAway =
    Timestamp::from_nanoseconds(std::numeric_limits<Nanoseconds>::min() + 1);

// With so many calls to be answered no further pass is begun, which is one burst and a little: what
// is decided long before it can be sent is decided on old news, and takes memory meanwhile.
constexpr std::size_t kEnoughToDo = 512;

Key key_of(const model::ReplicaSet& set) {
  return {.namespace_name = std::string(set.name_space.view()),
          .name = std::string(set.name.view())};
}

class ReplicaSetController final : public Controller {
 public:
  ReplicaSetController(ControllerContext context, Safeguards safeguards,
                       std::shared_ptr<PolicyReports> reports)
      : context_(context),
        safeguards_(safeguards),
        reports_(std::move(reports)),
        errands_(context_.port),
        queue_("replicaset", context_.telemetry),
        desk_(context_.port, context_.telemetry, context_.pickers, context_.seed),
        protobuf_(context_.protobuf),
        ends_({context_, safeguards_, errands_, queue_, memories_}) {}

  [[nodiscard]] std::string_view name() const override { return "replicaset-controller"; }

  void pod_changed(const Change<Pod>& change) override;
  void replica_set_changed(const Change<ReplicaSet>& change) override;
  void policy_changed(const Change<Policy>& change) override;
  void group_cost_changed(const Change<GroupCost>& change) override;
  void answered(CallId id, const Answer& answer, Now now) override;
  void picker_replied(picker::CallId id, const picker::Reply& reply, Now now) override {
    desk_.replied(id, reply, now);
  }
  [[nodiscard]] bool still_wants(CallId id) override;
  void run(Now now) override;
  [[nodiscard]] Timestamp wake_at() const override;
  // Nobody waits for pickers: what they would say, a successor can ask as well.
  void stop() override {
    stopping_ = true;
    desk_.drop_all();
  }
  [[nodiscard]] bool idle() const override { return passes_.empty() && errands_.empty(); }

 private:
  // What is heard.
  void pod_came(const Pod& pod);
  void pod_leaves(const Pod& pod);
  void deletion_seen(const Pod& pod);
  void orphan_left(const Pod& pod);
  void pod_updated(const Pod& before, const Pod& after);
  // The ReplicaSet that controls the pod, if it is really the one that is meant.
  [[nodiscard]] const ReplicaSet* owner_of(const Pod& pod) const;
  [[nodiscard]] Expectations* expectations_of(const ReplicaSet& set);
  void wake(const ReplicaSet& set) { woken_.insert(key_of(set)); }
  void wake_matching(const Pod& orphan);
  // Those that wait for ranks, if they are what is meant or belong to it.
  void wake_waiting(std::string_view name_space, std::string_view kind, std::string_view name);
  void forget_breakers_of(const ReplicaSet& gone);

  // What is done.
  [[nodiscard]] bool has_room() const { return errands_.size() < kEnoughToDo; }
  void begin_pass(const Key& key, Now now);
  void end_pass_if_over(const Key& key, Now now);

  ControllerContext context_;
  Safeguards safeguards_;
  std::shared_ptr<PolicyReports> reports_;
  Errands errands_;
  WorkQueue queue_;
  PickerDesk desk_;
  bool stopping_ = false;
  bool protobuf_;
  std::set<Key> woken_;  // since the last run()
  std::uint64_t epoch_ = 0;
  std::map<Key, SetMemory> memories_;
  std::map<Key, ReplicaSetPass> passes_;
  LooseEnds ends_;
};

const ReplicaSet* ReplicaSetController::owner_of(const Pod& pod) const {
  if (pod.controller == nullptr || pod.controller->kind.view() != "ReplicaSet") return nullptr;
  const ReplicaSet* set =
      context_.store.replica_set(pod.name_space.view(), pod.controller->name.view());
  return set != nullptr && set->uid == pod.controller->uid ? set : nullptr;
}

Expectations* ReplicaSetController::expectations_of(const ReplicaSet& set) {
  const auto found = memories_.find(key_of(set));
  if (found == memories_.end() || found->second.uid != set.uid.view()) return nullptr;
  return &found->second.expectations;
}

// There should be one at most; if there are more, each tries, and one of them gets the pod.
void ReplicaSetController::wake_matching(const Pod& orphan) {
  if (orphan.labels == nullptr || orphan.labels->labels.empty()) return;
  for (const ReplicaSet* set : context_.store.replica_sets_in(orphan.name_space.view())) {
    if (set->selector.matches(*orphan.labels)) wake(*set);
  }
}

void ReplicaSetController::pod_changed(const Change<Pod>& change) {
  ++epoch_;
  const Pod& pod = change.after != nullptr ? *change.after : *change.before;
  if (change.after == nullptr || pod.deleting) deletion_seen(pod);
  if (change.after == nullptr && change.before->controller == nullptr) {
    return orphan_left(*change.before);
  }
  if (change.after == nullptr) return pod_leaves(*change.before);
  if (change.before == nullptr) return pod_came(*change.after);
  pod_updated(*change.before, *change.after);
}

void ReplicaSetController::deletion_seen(const Pod& pod) {
  const ReplicaSet* const owner = owner_of(pod);
  const auto memory = owner == nullptr ? memories_.end() : memories_.find(key_of(*owner));
  if (memory != memories_.end()) memory->second.unsettled.settle(pod.uid.view(), "deleted");
}

void ReplicaSetController::pod_came(const Pod& pod) {
  if (pod.deleting) return pod_leaves(pod);
  if (pod.controller == nullptr) return wake_matching(pod);
  const ReplicaSet* const owner = owner_of(pod);
  if (owner == nullptr) return;
  if (Expectations* expectations = expectations_of(*owner)) expectations->saw_pod(pod.uid.view());
  wake(*owner);
}

void ReplicaSetController::pod_leaves(const Pod& pod) {
  const ReplicaSet* const owner = owner_of(pod);
  if (owner == nullptr) return;
  if (Expectations* expectations = expectations_of(*owner)) {
    expectations->saw_pod_leave(pod.uid.view());
  }
  wake(*owner);
}

// It may have been adopted and deleted since it was last seen; then this is all that is ever seen
// of the deletion.
void ReplicaSetController::orphan_left(const Pod& pod) {
  for (const ReplicaSet* set : context_.store.replica_sets_in(pod.name_space.view())) {
    Expectations* const expectations = expectations_of(*set);
    if (expectations == nullptr || !expectations->expects_deletion_of(pod.uid.view())) continue;
    expectations->saw_pod_leave(pod.uid.view());
    wake(*set);
  }
}

void ReplicaSetController::pod_updated(const Pod& before, const Pod& after) {
  if (before.revision != 0 && before.revision == after.revision) return;
  const bool other_owner = before.controller != after.controller;
  // Whoever had it has it no longer.
  if (other_owner) pod_leaves(before);
  if (after.deleting) return pod_leaves(after);
  if (after.controller == nullptr) {
    if (other_owner || before.labels != after.labels) wake_matching(after);
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
  if (change.after == nullptr) {
    // A successor of the same name must not inherit anything.
    const auto memory = memories_.find(key_of(set));
    if (memory != memories_.end()) {
      UnsettledDeletes unsettled = std::move(memory->second.unsettled);
      memory->second = SetMemory();
      memory->second.unsettled = std::move(unsettled);
    }
    desk_.drop(key_of(set));
    forget_breakers_of(set);
  }
  wake(set);
}

void ReplicaSetController::wake_waiting(std::string_view name_space, std::string_view kind,
                                        std::string_view name) {
  const auto wake_if_waiting = [this](const ReplicaSet* set) {
    const auto memory = memories_.find(key_of(*set));
    if (memory != memories_.end() && memory->second.rank_wait.waits) wake(*set);
  };
  if (kind == "ReplicaSet") {
    const ReplicaSet* const set = context_.store.replica_set(name_space, name);
    if (set != nullptr) wake_if_waiting(set);
    return;
  }
  for (const ReplicaSet* set : context_.store.replica_sets_in(name_space)) {
    if (set->controller != nullptr && set->controller->kind.view() == kind &&
        set->controller->name.view() == name) {
      wake_if_waiting(set);
    }
  }
}

void ReplicaSetController::policy_changed(const Change<Policy>& change) {
  // What is said in its status is nothing new.
  if (change.before != nullptr && change.after != nullptr &&
      change.before->generation == change.after->generation) {
    return;
  }
  for (const Policy* policy : {change.before, change.after}) {
    if (policy == nullptr) continue;
    wake_waiting(policy->name_space.view(), policy->target_kind.view(), policy->target_name.view());
  }
}

void ReplicaSetController::group_cost_changed(const Change<GroupCost>& change) {
  for (const GroupCost* cost : {change.before, change.after}) {
    if (cost == nullptr) continue;
    wake_waiting(cost->name_space.view(), cost->owner_kind.view(), cost->owner_name.view());
  }
}

void ReplicaSetController::forget_breakers_of(const ReplicaSet& gone) {
  if (gone.controller == nullptr) return desk_.forget_workload(gone.uid.view());
  const std::string_view owner = gone.controller->uid.view();
  if (context_.store.replica_sets_of(owner).empty()) desk_.forget_workload(owner);
}

void ReplicaSetController::run(Now now) {
  for (const Key& key : ends_.take_seen()) woken_.insert(key);
  const std::set<Key> woken = std::exchange(woken_, {});
  if (stopping_) return;
  desk_.run(now);
  for (const Key& key : desk_.take_over()) queue_.add(key, now);
  for (const Key& key : woken) queue_.add(key, now);
  ends_.run(now);
  while (has_room()) {
    const auto key = queue_.take(now);
    if (!key) break;
    begin_pass(*key, now);
  }
  queue_.report(now);
}

Timestamp ReplicaSetController::wake_at() const {
  if (stopping_) return {};
  if (!woken_.empty() || ends_.has_seen()) return kRightAway;
  // If there is no room, answers make some, and whoever brings them runs the controller.
  const Timestamp queued = has_room() ? queue_.wake_at() : Timestamp();
  return sooner(desk_.wake_at(), sooner(queued, ends_.wake_at()));
}

void ReplicaSetController::begin_pass(const Key& key, Now now) {
  const ReplicaSet* const set = context_.store.replica_set(key.namespace_name, key.name);
  if (set == nullptr) {
    if (const auto gone = memories_.find(key); gone != memories_.end()) {
      ends_.tell_settled(gone->second, true, now);
      memories_.erase(gone);
    }
    ends_.forget(key);
    queue_.forget_failures(key);
    return queue_.done(key, now);
  }
  SetMemory& memory = memories_[key];
  if (memory.uid != set->uid.view()) {
    ends_.tell_settled(memory, true, now);
    memory = SetMemory();
    memory.uid = set->uid.view();
  }
  if (safeguards_.stale_cache_protection) {
    if (const auto behind = memory.written.behind(context_.store)) {
      context_.telemetry.count(Count::kStaleSyncSkips, plural(*behind));
      queue_.add_after_failure(key, now);
      return queue_.done(key, now);
    }
  }
  memory.expectations.saw_all_up_to(context_.store.seen(Resource::kPods));
  ends_.tell_settled(memory, memory.expectations.satisfied(), now);
  const auto pass =
      passes_.try_emplace(key, key, memory,
                          ReplicaSetPass::Surroundings{context_, safeguards_, errands_, desk_,
                                                       *reports_, stopping_, protobuf_});
  pass.first->second.begin(now);
  end_pass_if_over(key, now);
}

void ReplicaSetController::end_pass_if_over(const Key& key, Now now) {
  const auto found = passes_.find(key);
  const ReplicaSetPass& pass = found->second;
  if (!pass.over()) return;
  if (pass.error()) {
    if (context_.telemetry.logs(1)) {
      context_.telemetry.log(
          Severity::kWarning, 1,
          fmt::format("ReplicaSet {}/{} is looked at again: {}", key.namespace_name, key.name,
                      *pass.error()),
          {{"replicaSet", ObjectName{key.namespace_name, key.name}}, {"err", *pass.error()}});
    }
    queue_.add_after_failure(key, now);
  } else {
    queue_.forget_failures(key);
    // This also covers pods that have just become Ready: whatever wakes their owner, it
    // works out the exact time when the next of them counts as available.
    if (const auto again = pass.again_after_ns(now)) queue_.add_after(key, *again, now);
  }
  passes_.erase(found);
  ends_.schedule(key);
  queue_.done(key, now);
}

void ReplicaSetController::answered(CallId id, const Answer& answer, Now now) {
  const auto errand = errands_.answered(id);
  if (!errand) return desk_.answered(id, answer, now);
  if (errand->what == Errand::What::kRepeatDelete || errand->what == Errand::What::kListPods) {
    return ends_.answered(*errand, answer, now);
  }
  passes_.at(errand->key).answered(*errand, answer, now);
  // What is to be done about it need not wait for the end of the pass.
  if (answer.unknown()) ends_.schedule(errand->key);
  end_pass_if_over(errand->key, now);
}

bool ReplicaSetController::still_wants(CallId id) {
  Errand* const errand = errands_.find(id);
  if (errand == nullptr) return desk_.wants(id);
  if (errand->what == Errand::What::kListPods) return true;
  const bool wanted = errand->what == Errand::What::kRepeatDelete
                          ? ends_.still_wants_repeat(*errand)
                          : passes_.at(errand->key).still_wants(*errand, epoch_);
  errand->confirmed = errand->confirmed || wanted;
  errand->withdrawn = !wanted;
  return wanted;
}

}  // namespace

std::unique_ptr<Controller> make_replica_set_controller(ControllerContext context,
                                                        Safeguards safeguards) {
  return make_replica_set_controller(context, safeguards, std::make_shared<PolicyReports>());
}

std::unique_ptr<Controller> make_replica_set_controller(ControllerContext context,
                                                        Safeguards safeguards,
                                                        std::shared_ptr<PolicyReports> reports) {
  return std::make_unique<ReplicaSetController>(context, safeguards, std::move(reports));
}

}  // namespace ebb::control
