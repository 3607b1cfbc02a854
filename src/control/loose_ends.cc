#include "control/loose_ends.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "control/delete_outcome.h"
#include "control/live_pods.h"
#include "control/object_json.h"
#include "control/pod_requests.h"
#include "model/selector_memo.h"

namespace ebb::control {

std::vector<Key> LooseEnds::take_seen() {
  return awaited_.take(around_.context.store.seen(Resource::kPods));
}

bool LooseEnds::has_seen() const {
  return awaited_.any_up_to(around_.context.store.seen(Resource::kPods));
}

void LooseEnds::run(Now now) {
  for (const Key& key : attention_.take_due(now.mono, attention_.size())) attend(key, now);
}

void LooseEnds::answered(const Errand& errand, const Answer& answer, Now now) {
  if (errand.what == Errand::What::kRepeatDelete) return repeat_answered(errand, answer, now);
  list_answered(errand, answer, now);
}

bool LooseEnds::still_wants_repeat(const Errand& errand) {
  const auto memory = around_.memories.find(errand.key);
  const ReplicaSet* const set =
      around_.context.store.replica_set(errand.key.namespace_name, errand.key.name);
  return memory != around_.memories.end() && memory->second.uid == errand.set_uid &&
         set != nullptr && set->uid.view() == errand.set_uid && !set->deleting &&
         memory->second.expectations.expects_deletion_of(errand.pod_uid) &&
         may_repeat(*set, memory->second.expectations);
}

void LooseEnds::schedule(const Key& key) {
  const auto memory = around_.memories.find(key);
  attention_.set(key, memory == around_.memories.end() ? Timestamp{}
                                                       : memory->second.expectations.next_step());
  awaited_.set(key,
               memory == around_.memories.end() ? 0 : memory->second.expectations.awaited_up_to());
}

void LooseEnds::attend(const Key& key, Now now) {
  const auto found = around_.memories.find(key);
  const ReplicaSet* const set = around_.context.store.replica_set(key.namespace_name, key.name);
  if (found == around_.memories.end() || set == nullptr || found->second.uid != set->uid.view() ||
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
    if (expired) around_.context.telemetry.count(Count::kExpectationsExpired);
    around_.errands.send(Call::Kind::kRead, live_pods_request(*set),
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
bool LooseEnds::may_repeat(const ReplicaSet& set, const Expectations& expectations) const {
  model::SelectorMemo selector({&set.selector});
  std::size_t staying = 0;
  std::size_t going = 0;
  for (const Pod* pod : around_.context.store.pods_of(set.uid.view())) {
    if (!pod->active() || !selector.matches(pod->labels)) continue;
    ++(expectations.expects_deletion_of(pod->uid.view()) ? going : staying);
  }
  // A pod that is not selected any more is not for this ReplicaSet to delete.
  if (going != expectations.deletions()) return false;
  return staying >= static_cast<std::size_t>(std::max(set.replicas, 0));
}

void LooseEnds::repeat_deletes(const Key& key, SetMemory& memory, Now now) {
  for (PodName& pod : memory.expectations.take_repeats(now)) {
    around_.context.telemetry.count(Count::kDeletesRepeated);
    const std::string_view precondition =
        around_.safeguards.uid_precondition ? std::string_view(pod.uid) : std::string_view();
    model::ApiRequest request = delete_pod_request(key.namespace_name, pod.name, precondition);
    around_.errands.send(Call::Kind::kWrite, std::move(request),
                         {.what = Errand::What::kRepeatDelete,
                          .key = key,
                          .set_uid = memory.uid,
                          .pod = std::move(pod.name),
                          .pod_uid = std::move(pod.uid)});
  }
}

void LooseEnds::repeat_answered(const Errand& errand, const Answer& answer, Now now) {
  const auto found = around_.memories.find(errand.key);
  if (found == around_.memories.end() || found->second.uid != errand.set_uid) return;
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
      around_.context.telemetry.count(Count::kDeletesMissed);
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
      around_.context.telemetry.count(Count::kDeletesRefused);
      expectations.deletion_refused(errand.pod_uid, now);
      // An earlier try may still have done it.
      if (!expectations.expects_deletion_of(errand.pod_uid)) {
        unsettled.settle(errand.pod_uid, fmt::format("refused: {}", error_text(answer)));
      }
      note_of(errand, true, "FailedDelete", fmt::format("Error deleting: {}", error_text(answer)),
              now);
      around_.queue.add_after_failure(errand.key, now);
      break;
  }
  tell_settled(found->second, false, now);
  schedule(errand.key);
}

void LooseEnds::list_answered(const Errand& errand, const Answer& answer, Now now) {
  const auto found = around_.memories.find(errand.key);
  if (found == around_.memories.end() || found->second.uid != errand.set_uid) return;
  Expectations& expectations = found->second.expectations;
  const auto pods = answer.succeeded() ? read_live_pods(answer.response.body.str(), errand.set_uid)
                                       : fail(ErrorCode::kIo, error_text(answer));
  if (pods) {
    const auto known = [&](const std::string& name, const std::string& uid) -> const Pod* {
      const Pod* pod = around_.context.store.pod(errand.key.namespace_name, name);
      return pod != nullptr && pod->uid.view() == uid ? pod : nullptr;
    };
    const auto counted = [&](const std::string& name, const std::string& uid) {
      const Pod* pod = known(name, uid);
      return pod != nullptr && pod->active();
    };
    if (expectations.listed(errand.number, *pods, known, counted, now)) {
      around_.context.telemetry.count(Count::kPodsConfirmed);
    }
    found->second.unsettled.listed(*pods, expectations);
    around_.queue.add(errand.key, now);
  } else {
    around_.context.telemetry.log(
        Severity::kWarning, 0,
        fmt::format("pods of ReplicaSet {}/{} could not be listed: {}", errand.key.namespace_name,
                    errand.key.name, pods.error().message),
        {{"replicaSet", ObjectName{errand.key.namespace_name, errand.key.name}},
         {"err", pods.error().message}});
    expectations.list_failed(errand.number, now);
  }
  schedule(errand.key);
}

void LooseEnds::tell_settled(SetMemory& memory, bool nothing_more_will_come, Now now) {
  if (!memory.unsettled.any()) return;
  const auto settlement = nothing_more_will_come ? memory.unsettled.take(now.wall)
                                                 : memory.unsettled.take_if_settled(now.wall);
  if (settlement) around_.context.telemetry.settled(*settlement);
}

void LooseEnds::note_of(const Errand& errand, bool warning, std::string_view reason,
                        std::string message, Now now) {
  const ReplicaSet* const set =
      around_.context.store.replica_set(errand.key.namespace_name, errand.key.name);
  around_.context.port.note({.kind = &replica_set_kind(),
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

}  // namespace ebb::control
