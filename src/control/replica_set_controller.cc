#include "control/replica_set_controller.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/agenda.h"
#include "control/awaited_revisions.h"
#include "control/delete_outcome.h"
#include "control/errands.h"
#include "control/live_pods.h"
#include "control/object_json.h"
#include "control/picker_desk.h"
#include "control/pod_requests.h"
#include "control/replica_set_pass.h"
#include "control/work_queue.h"
#include "model/selector_memo.h"

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
        desk_(context_.port, context_.telemetry, context_.pickers, context_.seed) {}

  [[nodiscard]] std::string_view name() const override { return "replicaset-controller"; }

  void pod_changed(const Change<Pod>& change) override;
  void replica_set_changed(const Change<ReplicaSet>& change) override;
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
  void forget_breakers_of(const ReplicaSet& gone);

  // What is done.
  [[nodiscard]] bool has_room() const { return errands_.size() < kEnoughToDo; }
  void begin_pass(const Key& key, Now now);
  void end_pass_if_over(const Key& key, Now now);
  void attend(const Key& key, Now now);
  void schedule(const Key& key);
  [[nodiscard]] bool still_wants_repeat(const Errand& errand);
  [[nodiscard]] bool may_repeat(const ReplicaSet& set, const Expectations& expectations) const;
  void repeat_deletes(const Key& key, SetMemory& memory, Now now);
  void repeat_answered(const Errand& errand, const Answer& answer, Now now);
  void list_answered(const Errand& errand, const Answer& answer, Now now);
  // Tells what became of deletes of unknown outcome, as soon as that is known of all of them, or if
  // nobody will learn it any more.
  void tell_settled(SetMemory& memory, bool nothing_more_will_come, Now now);
  void note_of(const Errand& errand, bool warning, std::string_view reason, std::string message,
               Now now);

  ControllerContext context_;
  Safeguards safeguards_;
  std::shared_ptr<PolicyReports> reports_;
  Errands errands_;
  WorkQueue queue_;
  PickerDesk desk_;
  bool stopping_ = false;
  std::set<Key> woken_;  // since the last run()
  std::uint64_t epoch_ = 0;
  std::map<Key, SetMemory> memories_;
  std::map<Key, ReplicaSetPass> passes_;
  Agenda<Key> attention_;     // when expectations need something to be done
  AwaitedRevisions awaited_;  // the cache has shown the pods, or never will
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

void ReplicaSetController::forget_breakers_of(const ReplicaSet& gone) {
  if (gone.controller == nullptr) return desk_.forget_workload(gone.uid.view());
  const std::string_view owner = gone.controller->uid.view();
  if (context_.store.replica_sets_of(owner).empty()) desk_.forget_workload(owner);
}

void ReplicaSetController::run(Now now) {
  for (const Key& key : awaited_.take(context_.store.seen(Resource::kPods))) woken_.insert(key);
  const std::set<Key> woken = std::exchange(woken_, {});
  if (stopping_) return;
  desk_.run(now);
  for (const Key& key : desk_.take_over()) queue_.add(key, now);
  for (const Key& key : woken) queue_.add(key, now);
  for (const Key& key : attention_.take_due(now.mono, attention_.size())) attend(key, now);
  while (has_room()) {
    const auto key = queue_.take(now);
    if (!key) break;
    begin_pass(*key, now);
  }
  queue_.report(now);
}

Timestamp ReplicaSetController::wake_at() const {
  if (stopping_) return {};
  if (!woken_.empty() || awaited_.any_up_to(context_.store.seen(Resource::kPods))) {
    return kRightAway;
  }
  // If there is no room, answers make some, and whoever brings them runs the controller.
  const Timestamp queued = has_room() ? queue_.wake_at() : Timestamp();
  return sooner(desk_.wake_at(), sooner(queued, attention_.next()));
}

void ReplicaSetController::begin_pass(const Key& key, Now now) {
  const ReplicaSet* const set = context_.store.replica_set(key.namespace_name, key.name);
  if (set == nullptr) {
    if (const auto gone = memories_.find(key); gone != memories_.end()) {
      tell_settled(gone->second, true, now);
      memories_.erase(gone);
    }
    attention_.erase(key);
    queue_.forget_failures(key);
    return queue_.done(key, now);
  }
  SetMemory& memory = memories_[key];
  if (memory.uid != set->uid.view()) {
    tell_settled(memory, true, now);
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
  tell_settled(memory, memory.expectations.satisfied(), now);
  const auto pass = passes_.try_emplace(
      key, key, memory,
      ReplicaSetPass::Surroundings{context_, safeguards_, errands_, desk_, *reports_, stopping_});
  pass.first->second.begin(now);
  end_pass_if_over(key, now);
}

void ReplicaSetController::end_pass_if_over(const Key& key, Now now) {
  const auto found = passes_.find(key);
  const ReplicaSetPass& pass = found->second;
  if (!pass.over()) return;
  if (pass.error()) {
    if (context_.telemetry.logs(1)) {
      context_.telemetry.log(Severity::kWarning, 1,
                             fmt::format("ReplicaSet {}/{} is looked at again: {}",
                                         key.namespace_name, key.name, *pass.error()));
    }
    queue_.add_after_failure(key, now);
  } else {
    queue_.forget_failures(key);
    // This also covers pods that have just become Ready: whatever wakes their owner, it
    // works out the exact time when the next of them counts as available.
    if (const auto again = pass.again_after_ns(now)) queue_.add_after(key, *again, now);
  }
  passes_.erase(found);
  schedule(key);
  queue_.done(key, now);
}

void ReplicaSetController::answered(CallId id, const Answer& answer, Now now) {
  const auto errand = errands_.answered(id);
  if (!errand) return desk_.answered(id, answer, now);
  if (errand->what == Errand::What::kRepeatDelete) return repeat_answered(*errand, answer, now);
  if (errand->what == Errand::What::kListPods) return list_answered(*errand, answer, now);
  passes_.at(errand->key).answered(*errand, answer, now);
  // What is to be done about it need not wait for the end of the pass.
  if (answer.unknown()) schedule(errand->key);
  end_pass_if_over(errand->key, now);
}

bool ReplicaSetController::still_wants(CallId id) {
  Errand* const errand = errands_.find(id);
  if (errand == nullptr) return desk_.wants(id);
  if (errand->what == Errand::What::kListPods) return true;
  const bool wanted = errand->what == Errand::What::kRepeatDelete
                          ? still_wants_repeat(*errand)
                          : passes_.at(errand->key).still_wants(*errand, epoch_);
  errand->confirmed = errand->confirmed || wanted;
  errand->withdrawn = !wanted;
  return wanted;
}

bool ReplicaSetController::still_wants_repeat(const Errand& errand) {
  const auto memory = memories_.find(errand.key);
  const ReplicaSet* const set =
      context_.store.replica_set(errand.key.namespace_name, errand.key.name);
  return memory != memories_.end() && memory->second.uid == errand.set_uid && set != nullptr &&
         set->uid.view() == errand.set_uid && !set->deleting &&
         memory->second.expectations.expects_deletion_of(errand.pod_uid) &&
         may_repeat(*set, memory->second.expectations);
}

void ReplicaSetController::schedule(const Key& key) {
  const auto memory = memories_.find(key);
  attention_.set(key,
                 memory == memories_.end() ? Timestamp{} : memory->second.expectations.next_step());
  awaited_.set(key, memory == memories_.end() ? 0 : memory->second.expectations.awaited_up_to());
}

void ReplicaSetController::attend(const Key& key, Now now) {
  const auto found = memories_.find(key);
  const ReplicaSet* const set = context_.store.replica_set(key.namespace_name, key.name);
  if (found == memories_.end() || set == nullptr || found->second.uid != set->uid.view() ||
      set->deleting) {
    return;
  }
  SetMemory& memory = found->second;
  Expectations& expectations = memory.expectations;
  const bool expired = expectations.expired(now);
  if (expectations.has_repeats(now) && !expired && may_repeat(*set, expectations)) {
    repeat_deletes(key, memory, now);
  } else if (expired || expectations.has_repeats(now)) {
    expectations.give_up_repeating();
  }
  if (expectations.wants_list(now)) {
    if (expired) context_.telemetry.count(Count::kExpectationsExpired);
    errands_.send(Call::Kind::kRead, live_pods_request(*set),
                  {.what = Errand::What::kListPods,
                   .key = key,
                   .set_uid = memory.uid,
                   .number = expectations.list_sent(now)});
  }
  schedule(key);
}

// Never more may go than are too many for the spec as it is now, which may want more pods than
// when these were chosen. All deletions that are expected may still be carried out, those of
// unknown outcome too; so they are repeated only if all of them together are not too many.
// Otherwise none is, and a live list says in the end which of them happened: a pod that is still
// there then is free, and a new pass counts anew.
bool ReplicaSetController::may_repeat(const ReplicaSet& set,
                                      const Expectations& expectations) const {
  model::SelectorMemo selector({&set.selector});
  std::size_t staying = 0;
  std::size_t going = 0;
  for (const Pod* pod : context_.store.pods_of(set.uid.view())) {
    if (!pod->active() || !selector.matches(pod->labels)) continue;
    ++(expectations.expects_deletion_of(pod->uid.view()) ? going : staying);
  }
  // A pod that is not selected any more is not for this ReplicaSet to delete.
  if (going != expectations.deletions()) return false;
  return staying >= static_cast<std::size_t>(std::max(set.replicas, 0));
}

void ReplicaSetController::repeat_deletes(const Key& key, SetMemory& memory, Now now) {
  for (PodName& pod : memory.expectations.take_repeats(now)) {
    context_.telemetry.count(Count::kDeletesRepeated);
    const std::string_view precondition =
        safeguards_.uid_precondition ? std::string_view(pod.uid) : std::string_view();
    model::ApiRequest request = delete_pod_request(key.namespace_name, pod.name, precondition);
    errands_.send(Call::Kind::kWrite, std::move(request),
                  {.what = Errand::What::kRepeatDelete,
                   .key = key,
                   .set_uid = memory.uid,
                   .pod = std::move(pod.name),
                   .pod_uid = std::move(pod.uid)});
  }
}

void ReplicaSetController::repeat_answered(const Errand& errand, const Answer& answer, Now now) {
  const auto found = memories_.find(errand.key);
  if (found == memories_.end() || found->second.uid != errand.set_uid) return;
  Expectations& expectations = found->second.expectations;
  UnsettledDeletes& unsettled = found->second.unsettled;
  switch (judge_delete(answer)) {
    case DeleteOutcome::kGranted:
      unsettled.settle(errand.pod_uid, "deleted");
      expectations.deletion_granted(errand.pod_uid);
      note_of(errand, false, "SuccessfulDelete", fmt::format("Deleted pod: {}", errand.pod), now);
      break;
    case DeleteOutcome::kMissed:
      unsettled.settle(errand.pod_uid, "gone already");
      context_.telemetry.count(Count::kDeletesMissed);
      expectations.deletion_granted(errand.pod_uid);
      break;
    case DeleteOutcome::kUnknown:
      expectations.deletion_unknown(errand.pod_uid, now);
      break;
    case DeleteOutcome::kRefused:
      if (answer.outcome == Answer::Outcome::kNotSent) {
        // Nothing new is known about the one before.
        expectations.deletion_unknown(errand.pod_uid, now);
        break;
      }
      context_.telemetry.count(Count::kDeletesRefused);
      expectations.deletion_refused(errand.pod_uid, now);
      // An earlier try may still have done it.
      if (!expectations.expects_deletion_of(errand.pod_uid)) {
        unsettled.settle(errand.pod_uid, fmt::format("refused: {}", error_text(answer)));
      }
      note_of(errand, true, "FailedDelete", fmt::format("Error deleting: {}", error_text(answer)),
              now);
      queue_.add_after_failure(errand.key, now);
      break;
  }
  tell_settled(found->second, false, now);
  schedule(errand.key);
}

void ReplicaSetController::list_answered(const Errand& errand, const Answer& answer, Now now) {
  const auto found = memories_.find(errand.key);
  if (found == memories_.end() || found->second.uid != errand.set_uid) return;
  Expectations& expectations = found->second.expectations;
  const auto pods = answer.succeeded() ? read_live_pods(answer.response.body.str(), errand.set_uid)
                                       : fail(ErrorCode::kIo, error_text(answer));
  if (pods) {
    const auto known = [&](const std::string& name, const std::string& uid) -> const Pod* {
      const Pod* pod = context_.store.pod(errand.key.namespace_name, name);
      return pod != nullptr && pod->uid.view() == uid ? pod : nullptr;
    };
    const auto counted = [&](const std::string& name, const std::string& uid) {
      const Pod* pod = known(name, uid);
      return pod != nullptr && pod->active();
    };
    if (expectations.listed(errand.number, *pods, known, counted, now)) {
      context_.telemetry.count(Count::kPodsConfirmed);
    }
    found->second.unsettled.listed(*pods, expectations);
    queue_.add(errand.key, now);
  } else {
    context_.telemetry.log(
        Severity::kWarning, 0,
        fmt::format("pods of ReplicaSet {}/{} could not be listed: {}", errand.key.namespace_name,
                    errand.key.name, pods.error().message));
    expectations.list_failed(errand.number, now);
  }
  schedule(errand.key);
}

void ReplicaSetController::tell_settled(SetMemory& memory, bool nothing_more_will_come, Now now) {
  if (!memory.unsettled.any()) return;
  const auto settlement = nothing_more_will_come ? memory.unsettled.take(now.wall)
                                                 : memory.unsettled.take_if_settled(now.wall);
  if (settlement) context_.telemetry.settled(*settlement);
}

void ReplicaSetController::note_of(const Errand& errand, bool warning, std::string_view reason,
                                   std::string message, Now now) {
  const ReplicaSet* const set =
      context_.store.replica_set(errand.key.namespace_name, errand.key.name);
  context_.port.note({.kind = &replica_set_kind(),
                      .name_space = errand.key.namespace_name,
                      .name = errand.key.name,
                      .uid = errand.set_uid,
                      .resource_version = set == nullptr ? "" : set->resource_version,
                      .warning = warning,
                      .reason = std::string(reason),
                      .message = std::move(message),
                      .component = "replicaset-controller"},
                     now);
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
