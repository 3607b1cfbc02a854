#include "control/replicaset/unknown_outcomes.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "control/cache/live_pods.h"
#include "control/core/object_json.h"
#include "control/replicaset/delete_outcome.h"
#include "control/replicaset/pod_requests.h"
#include "model/records/selector_memo.h"

namespace ebb::control {

std::vector<Key> UnknownOutcomes::take_seen() {
  return awaited_.take(deps_.context.store.seen(Resource::kPods));
}

bool UnknownOutcomes::has_seen() const {
  return awaited_.any_up_to(deps_.context.store.seen(Resource::kPods));
}

void UnknownOutcomes::run(Now now) {
  for (const Key& key : attention_.take_due(now.mono, attention_.size())) process(key, now);
}

void UnknownOutcomes::answered(const PendingCall& pending, const Answer& answer, Now now) {
  if (pending.what == PendingCall::What::kRepeatDelete)
    return repeat_answered(pending, answer, now);
  list_answered(pending, answer, now);
}

bool UnknownOutcomes::still_wants_repeat(const PendingCall& pending) {
  const auto state = deps_.states.find(pending.key);
  const ReplicaSet* const set =
      deps_.context.store.replica_set(pending.key.namespace_name, pending.key.name);
  return state != deps_.states.end() && state->second.uid == pending.set_uid && set != nullptr &&
         set->uid.view() == pending.set_uid && !set->deleting &&
         state->second.expectations.expects_deletion_of(pending.pod_uid) &&
         may_repeat(*set, state->second.expectations);
}

void UnknownOutcomes::schedule(const Key& key) {
  const auto state = deps_.states.find(key);
  attention_.set(
      key, state == deps_.states.end() ? Timestamp{} : state->second.expectations.next_step());
  awaited_.set(key, state == deps_.states.end() ? 0 : state->second.expectations.awaited_up_to());
}

void UnknownOutcomes::process(const Key& key, Now now) {
  const auto found = deps_.states.find(key);
  const ReplicaSet* const set = deps_.context.store.replica_set(key.namespace_name, key.name);
  if (found == deps_.states.end() || set == nullptr || found->second.uid != set->uid.view() ||
      set->deleting) {
    return;
  }
  ReplicaSetState& state = found->second;
  Expectations& expectations = state.expectations;
  const bool expired = expectations.expired(now);
  if (expectations.has_repeats(now) && !expired && may_repeat(*set, expectations)) {
    repeat_deletes(key, state, now);
  } else if (expired || expectations.has_repeats(now)) {
    expectations.give_up_repeating();
  }
  if (expectations.wants_list(now)) {
    if (expired) deps_.context.telemetry.count(Count::kExpectationsExpired);
    deps_.pending_calls.send(Call::Kind::kRead, live_pods_request(*set),
                             {.what = PendingCall::What::kListPods,
                              .key = key,
                              .set_uid = state.uid,
                              .number = expectations.list_sent(now)});
  }
  schedule(key);
}

// Deletes must never exceed the surplus of the current spec, which may want more pods than when the
// victims were chosen. Every expected delete may still be carried out, including those of unknown
// outcome, so deletes are repeated only if all of them together fit into the surplus. Otherwise
// none is repeated, and a live list shows which of them happened: a pod that still exists then is
// released, and the next sync counts again.
bool UnknownOutcomes::may_repeat(const ReplicaSet& set, const Expectations& expectations) const {
  model::SelectorMemo selector({&set.selector});
  std::size_t staying = 0;
  std::size_t going = 0;
  for (const Pod* pod : deps_.context.store.pods_of(set)) {
    if (!pod->active() || !selector.matches(pod->labels)) continue;
    ++(expectations.expects_deletion_of(pod->uid.view()) ? going : staying);
  }
  // A pod that the ReplicaSet no longer selects must not be deleted by it.
  if (going != expectations.deletions()) return false;
  return staying >= static_cast<std::size_t>(std::max(set.replicas, 0));
}

void UnknownOutcomes::repeat_deletes(const Key& key, ReplicaSetState& state, Now now) {
  for (PodName& pod : state.expectations.take_repeats(now)) {
    deps_.context.telemetry.count(Count::kDeletesRepeated);
    const std::string_view precondition =
        deps_.safeguards.uid_precondition ? std::string_view(pod.uid) : std::string_view();
    model::ApiRequest request = delete_pod_request(key.namespace_name, pod.name, precondition);
    deps_.pending_calls.send(Call::Kind::kWrite, std::move(request),
                             {.what = PendingCall::What::kRepeatDelete,
                              .key = key,
                              .set_uid = state.uid,
                              .pod = std::move(pod.name),
                              .pod_uid = std::move(pod.uid)});
  }
}

void UnknownOutcomes::repeat_answered(const PendingCall& pending, const Answer& answer, Now now) {
  const auto found = deps_.states.find(pending.key);
  if (found == deps_.states.end() || found->second.uid != pending.set_uid) return;
  Expectations& expectations = found->second.expectations;
  UnknownDeletes& unsettled = found->second.unsettled;
  switch (judge_delete(answer)) {
    case DeleteOutcome::kGranted:
      unsettled.settle(pending.pod_uid, "deleted");
      expectations.deletion_granted(pending.pod_uid);
      record_event(pending, false, "SuccessfulDelete", fmt::format("Deleted pod: {}", pending.pod),
                   now);
      break;
    case DeleteOutcome::kMissed:
      unsettled.settle(pending.pod_uid, "gone already");
      deps_.context.telemetry.count(Count::kDeletesMissed);
      expectations.deletion_missed(pending.pod_uid, now);
      break;
    case DeleteOutcome::kUnknown:
      expectations.deletion_unknown(pending.pod_uid, now);
      break;
    case DeleteOutcome::kRefused:
      if (answer.outcome == Answer::Outcome::kNotSent) {
        // The outcome of the earlier attempt is still unknown.
        expectations.deletion_unknown(pending.pod_uid, now);
        break;
      }
      deps_.context.telemetry.count(Count::kDeletesRefused);
      expectations.deletion_refused(pending.pod_uid, now);
      // An earlier attempt may have succeeded.
      if (!expectations.expects_deletion_of(pending.pod_uid)) {
        unsettled.settle(pending.pod_uid, fmt::format("refused: {}", error_text(answer)));
      }
      record_event(pending, true, "FailedDelete",
                   fmt::format("Error deleting: {}", error_text(answer)), now);
      deps_.queue.add_after_failure(pending.key, now);
      break;
  }
  report_late_outcomes(found->second, false, now);
  schedule(pending.key);
}

void UnknownOutcomes::list_answered(const PendingCall& pending, const Answer& answer, Now now) {
  const auto found = deps_.states.find(pending.key);
  if (found == deps_.states.end() || found->second.uid != pending.set_uid) return;
  Expectations& expectations = found->second.expectations;
  const auto pods = answer.succeeded() ? read_live_pods(answer.response.body.str(),
                                                        {pending.key.name, pending.set_uid})
                                       : fail(ErrorCode::kIo, error_text(answer));
  if (pods) {
    const auto known = [&](const std::string& name, const std::string& uid) -> const Pod* {
      const Pod* pod = deps_.context.store.pod(pending.key.namespace_name, name);
      return pod != nullptr && pod->uid.view() == uid ? pod : nullptr;
    };
    const auto counted = [&](const std::string& name, const std::string& uid) {
      const Pod* pod = known(name, uid);
      return pod != nullptr && pod->active();
    };
    report_not_gone(pending, *pods, expectations, now);
    if (expectations.listed(pending.number, *pods, known, counted, now)) {
      deps_.context.telemetry.count(Count::kPodsConfirmed);
    }
    found->second.unsettled.listed(*pods, expectations);
    deps_.queue.add(pending.key, now);
  } else {
    deps_.context.telemetry.log(
        Severity::kWarning, 0,
        fmt::format("cannot list pods of ReplicaSet {}/{}: {}", pending.key.namespace_name,
                    pending.key.name, pods.error().message),
        {{"replicaSet", ObjectName{pending.key.namespace_name, pending.key.name}},
         {"err", pods.error().message}});
    expectations.list_failed(pending.number, now);
  }
  schedule(pending.key);
}

// Reports pods that the API server said were gone when asked to delete them, but still lists.
void UnknownOutcomes::report_not_gone(const PendingCall& pending, const LivePods& pods,
                                      const Expectations& expectations, Now now) {
  for (const LivePod& pod : pods.pods) {
    if (pod.deleting || !expectations.missed_deletion_of(pod.uid)) continue;
    deps_.context.telemetry.count(Count::kDeletesRefused);
    record_event(
        pending, true, "FailedDelete",
        fmt::format("Error deleting: the API server said that pod {} is gone, but still lists it",
                    pod.name),
        now);
  }
}

void UnknownOutcomes::report_late_outcomes(ReplicaSetState& state, bool nothing_more_will_come,
                                           Now now) {
  if (!state.unsettled.any()) return;
  const auto late_outcomes = nothing_more_will_come ? state.unsettled.take(now.wall)
                                                    : state.unsettled.take_if_settled(now.wall);
  if (late_outcomes) deps_.context.telemetry.settled(*late_outcomes);
}

void UnknownOutcomes::record_event(const PendingCall& pending, bool warning,
                                   std::string_view reason, std::string message, Now now) {
  const ReplicaSet* const set =
      deps_.context.store.replica_set(pending.key.namespace_name, pending.key.name);
  deps_.context.sink.record_event({.kind = &replica_set_kind(),
                                   .namespace_name = pending.key.namespace_name,
                                   .name = pending.key.name,
                                   .uid = pending.set_uid,
                                   .resource_version = set == nullptr ? "" : set->resource_version,
                                   .warning = warning,
                                   .reason = std::string(reason),
                                   .message = std::move(message),
                                   .component = "replicaset-controller"},
                                  now);
}

}  // namespace ebb::control
