#include "control/replicaset/replica_set_sync.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/check.h"
#include "control/core/json_document.h"
#include "control/replicaset/advice_events.h"
#include "control/replicaset/pod_requests.h"
#include "control/scaledown/picker_advice.h"
#include "control/scaledown/rank_advice.h"
#include "control/scaledown/scale_down.h"

namespace ebb::control::replicasets {
namespace {

using What = PendingCall::What;

}  // namespace

Sync::Sync(Key key, ReplicaSetState& state, Dependencies deps)
    : key_(std::move(key)), uid_(state.uid), state_(state), deps_(deps) {}

const ReplicaSet* Sync::set() const {
  const ReplicaSet* found = deps_.context.store.replica_set(key_.namespace_name, key_.name);
  return found != nullptr && found->uid.view() == uid_ ? found : nullptr;
}

SyncContext Sync::sync_context(Now now) {
  return {.key = key_,
          .uid = uid_,
          .state = state(),
          .store = deps_.context.store,
          .safeguards = deps_.safeguards,
          .budget = deps_.budget,
          .now = now,
          .gates = deps_.context.gates,
          .protobuf = deps_.protobuf,
          .stopping = deps_.stopping};
}

Snapshot Sync::take_snapshot() const {
  const ReplicaSet* const found = set();
  if (found == nullptr || !progress_.needs_pods()) return {.set = found};
  std::vector<const Pod*> pods = deps_.context.store.pods_of(*found);
  const auto orphans = deps_.context.store.orphans_in(found->namespace_name.view());
  pods.insert(pods.end(), orphans.begin(), orphans.end());
  deps_.budget.spend(pods.size() * found->selector.cost());
  return replicasets::take_snapshot(*found, pods, progress_.adopted);
}

const Pod* Sync::unread_pod_of(const ReplicaSet& set) const {
  return deps_.safeguards.holds_unread_sets ? deps_.context.store.unread_pod_of(set) : nullptr;
}

std::optional<SyncResult> Sync::start(Now now) {
  const ReplicaSet* const found = set();
  if (found == nullptr || state_.gone) return SyncResult();
  if (const Pod* unread = unread_pod_of(*found)) {
    return SyncResult{
        .error = fmt::format("its pod {} could not be decoded; no pods are created or deleted "
                             "until it is decoded or gone",
                             unread->name.view())};
  }
  // Must be read before the pods: a pod that appears in between may be counted or not, but must not
  // be missed after its expectation has been cleared.
  progress_.may_manage = !deps_.safeguards.expectations || state_.expectations.satisfied();
  if (found->selector.empty()) {
    deps_.context.telemetry.log(Severity::kError, 0,
                                fmt::format("ReplicaSet {}/{} has an empty or invalid selector",
                                            key_.namespace_name, key_.name),
                                {{"replicaSet", ObjectName{key_.namespace_name, key_.name}}});
    return SyncResult();
  }
  return proceed(now);
}

std::optional<SyncResult> Sync::proceed(Now now) {
  const Snapshot snapshot = take_snapshot();
  Step step = next_step(snapshot, progress_, sync_context(now));
  if (step.ends_scale_down) deps_.picker_sessions.drop(key_);
  if (step.kind == Step::Kind::kScaleDown) step = scale_down(snapshot, step.surplus, now);
  return carry_out(std::move(step), now);
}

std::optional<SyncResult> Sync::carry_out(Step step, Now now) {
  if (step.calls.empty()) {
    if (step.error) return SyncResult{.error = std::move(step.error)};
    return SyncResult{.requeue_after_ns = requeue_after_ns(progress_, now)};
  }
  in_flight_ = step.calls.size();
  for (auto& [kind, request, pending] : step.calls) {
    deps_.budget.spend(units_to_parse(request.body.size()));
    pending.key = key_;
    pending.set_uid = uid_;
    deps_.pending_calls.send(kind, std::move(request), std::move(pending));
  }
  return std::nullopt;
}

// A sync does not block on ranks or on a picker's answer. It writes the status and ends; the
// arrival of what it waits for, or its deadline, starts a new sync that reads everything again.
Step Sync::scale_down(const Snapshot& snapshot, std::size_t surplus, Now now) {
  const ControllerContext& context = deps_.context;
  const auto& [set, claim] = snapshot;
  const std::size_t active = claim.active.size();
  RankWait& wait = state().rank_wait;
  RankAdvice ranks =
      advise_on_ranks(*set, claim.active, surplus, context.store, context.gates, deps_.budget);
  if (!deps_.safeguards.awaits_newer_ranks) ranks.at_once = surplus;
  progress_.ranks_due = await_ranks(ranks, wait, now.mono);
  if (!progress_.ranks_due.is_zero()) {
    report_rank_wait(ranks, now);
    return next_step(snapshot, progress_, sync_context(now));
  }
  PickerAdvice picker_advice =
      advise_on_picker(*set, claim.active, ranks.at_once, context, deps_.picker_sessions, now);
  if (picker_advice.awaited) return next_step(snapshot, progress_, sync_context(now));
  if (!deps_.safeguards.rechecks_after_answers && picker_advice.surplus_asked_about > 0) {
    picker_advice.surplus = std::min(picker_advice.surplus_asked_about, active);
  }
  Advice advice{std::move(ranks), wait.waited_ns(now.mono), std::move(picker_advice)};
  report_advice(advice, snapshot, now);
  const auto wanted = static_cast<std::size_t>(std::max(set->replicas, 0));
  pods_go(wait, advice.picker_advice.surplus >= active - wanted, advice.ranks.recompute);
  return delete_pods(choose_victims(*set, claim.active, std::move(advice), context, now.wall),
                     progress_, sync_context(now));
}

void Sync::report_rank_wait(const RankAdvice& ranks, Now now) {
  RankWait& wait = state().rank_wait;
  if (!std::exchange(wait.waits, true)) deps_.context.telemetry.count(Count::kRankWaits);
  // Recorded once per scale-down, even if it waits again after each removal.
  if (wait.reported) return;
  wait.reported = describe_wait(ranks);
  record_event({.reason = wait.reported->reason, .message = wait.reported->message}, "ebb", now);
}

void Sync::report_advice(const Advice& advice, const Snapshot& snapshot, Now now) {
  const PickerAdvice& picker_advice = advice.picker_advice;
  Telemetry& telemetry = deps_.context.telemetry;
  const std::string_view cause =
      advice.ranks.outcome ? fallback_cause(*advice.ranks.outcome) : std::string_view();
  if (!cause.empty()) telemetry.count(Count::kFallbacks, cause);
  if (picker_advice.picker) {
    const picker::Outcome outcome = picker_advice.picker->outcome;
    telemetry.count(Count::kConsultations, to_string(outcome));
    if (is_fallback(outcome)) telemetry.count(Count::kFallbacks, to_string(outcome));
    progress_.removal = {.policy = picker_advice.policy,
                         .breaker_open = outcome == picker::Outcome::kBreakerOpen ||
                                         picker_advice.breaker == Breakers::Change::kOpened};
  }
  for (Event& event : explain_advice(advice, snapshot.claim.active, deps_.context.gates, state())) {
    record_event(std::move(event), "ebb", now);
  }
}

std::optional<SyncResult> Sync::answered(const PendingCall& pending, const Answer& answer,
                                         Now now) {
  EBB_CHECK(in_flight_ > 0);
  --in_flight_;
  deps_.budget.spend(units_to_parse(answer.response.body.size()));
  const SyncContext context = sync_context(now);
  switch (pending.what) {
    case What::kReadOwner:
      report(owner_read(answer, progress_, context), now);
      break;
    case What::kAdopt:
    case What::kRelease:
      report(pod_patched(pending, answer, progress_, context), now);
      break;
    case What::kCreate:
      if (pending.confirmed) --creations_in_flight_;
      leave_protobuf_if_refused(answer);
      report(pod_created(pending, answer, progress_, context), now);
      break;
    case What::kDelete:
      report(pod_deleted(pending, answer, progress_, context), now);
      if (in_flight_ == 0) report_decision(now);
      break;
    case What::kWriteStatus: {
      Step step = status_written(answer, progress_, context);
      if (!step.calls.empty()) deps_.context.telemetry.count(Count::kStatusConflicts);
      return carry_out(std::move(step), now);
    }
    case What::kReadForStatus:
      return carry_out(status_read(answer, progress_, context), now);
    case What::kRepeatDelete:
    case What::kListPods:
      EBB_CHECK(false);
  }
  if (in_flight_ > 0) return std::nullopt;
  return proceed(now);
}

void Sync::report(Report report, Now now) {
  Telemetry& telemetry = deps_.context.telemetry;
  if (report.count) telemetry.count(*report.count);
  if (report.event) record_event(std::move(*report.event), "replicaset-controller", now);
  if (!report.refusal) return;
  telemetry.log(
      Severity::kWarning, 0,
      fmt::format("ReplicaSet {}/{} cannot create pods: {}", key_.namespace_name, key_.name,
                  *report.refusal),
      {{"replicaSet", ObjectName{key_.namespace_name, key_.name}}, {"err", *report.refusal}});
}

// The API server may be too old for protobuf.
void Sync::leave_protobuf_if_refused(const Answer& answer) {
  constexpr int kUnsupportedMediaType = 415;
  if (answer.response.code != kUnsupportedMediaType || is_admission_denial(answer)) return;
  if (!std::exchange(deps_.protobuf, false)) return;
  deps_.context.telemetry.log(Severity::kInfo, 1,
                              "the API server does not accept protobuf; continuing in JSON");
}

void Sync::report_decision(Now now) {
  const auto& [decision, policy, breaker_open] = progress_.removal;
  for (const Decision::Victim& victim : decision.victims) {
    if (!victim.spared) deps_.context.telemetry.count(Count::kVictims, victim.rule);
  }
  deps_.context.telemetry.decided(decision);
  if (!policy.empty()) {
    deps_.reports.decided({.namespace_name = key_.namespace_name, .name = policy},
                          {.time = decision.time,
                           .replica_set = key_.name,
                           .victims = decision.going(),
                           .outcome = decision.picker->outcome,
                           .id = decision.id,
                           .problem = decision.picker->problem},
                          breaker_open);
  }
  record_event({.reason = std::string(kDecisionReason), .message = describe(decision)}, "ebb", now);
  if (deps_.decisions != nullptr) deps_.decisions->add(decision);
  state().unsettled.begin(decision);
}

// A call may wait in a long queue between decision and sending. By what is known at that time, it
// must neither create more pods than are missing nor delete more than are surplus.
bool Sync::still_wants(const PendingCall& pending, std::uint64_t epoch) {
  if (pending.pod.empty() && pending.what != What::kCreate) return true;
  const ReplicaSet* const found = set();
  if (found == nullptr || !has_state()) return false;
  const Store& store = deps_.context.store;
  const auto wanted = static_cast<std::size_t>(std::max(found->replicas, 0));
  if (pending.what == What::kCreate) {
    if (found->generation != progress_.counts.generation || found->deleting) return false;
    // The pod that cannot be decoded may be the missing one.
    if (unread_pod_of(*found) != nullptr) return false;
    const std::size_t others = creations_in_flight_ - (pending.confirmed ? 1 : 0);
    const std::size_t there =
        active_now(*found, epoch) + state_.expectations.unseen_creations() + others;
    if (there >= wanted) return false;
    creations_in_flight_ += pending.confirmed ? 0 : 1;
    return true;
  }
  const Pod* const pod = store.pod(key_.namespace_name, pending.pod);
  if (!still_claims(*found, pod, pending, progress_.adopted)) return false;
  if (pending.what != What::kDelete) return true;
  const std::size_t going = state_.expectations.deletions_sent_besides(pending.pod_uid) + 1;
  if (found->deleting || active_now(*found, epoch) < wanted + going) return false;
  state_.expectations.deletion_sent(pending.pod_uid);
  return true;
}

std::size_t Sync::active_now(const ReplicaSet& set, std::uint64_t epoch) {
  if (!active_now_ || active_now_->first != epoch) {
    active_now_.emplace(epoch, count_active(set, deps_.context.store, progress_.adopted));
  }
  return active_now_->second;
}

void Sync::record_event(Event event, std::string_view component, Now now) {
  const ReplicaSet* const found = set();
  event.kind = &replica_set_kind();
  event.namespace_name = key_.namespace_name;
  event.name = key_.name;
  event.uid = uid_;
  event.component = component;
  if (found != nullptr) event.resource_version = found->resource_version;
  deps_.context.sink.record_event(std::move(event), now);
}

}  // namespace ebb::control::replicasets
