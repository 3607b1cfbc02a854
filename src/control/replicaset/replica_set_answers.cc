#include "control/replicaset/replica_set_answers.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "control/core/json_document.h"
#include "control/core/object_json.h"
#include "control/replicaset/delete_outcome.h"
#include "schema/core/json.h"

namespace ebb::control::replicasets {
namespace {

using What = PendingCall::What;

// Its turn came, and it was not wanted any more.
bool was_withdrawn(const PendingCall& pending, const Answer& answer) {
  return pending.withdrawn && answer.outcome == Answer::Outcome::kNotSent;
}

// Rate-limited: a full quota refuses hundreds of pods, again and again.
bool may_log_refusal(const SyncContext& context) {
  constexpr Nanoseconds kBetweenNs = 60 * kNanosecondsPerSecond;
  Timestamp& logged = context.state.refusal_logged;
  if (context.state.uid != context.uid) return false;
  if (!logged.is_zero() && elapsed_ns(logged, context.now.mono) < kBetweenNs) return false;
  logged = context.now.mono;
  return true;
}

Report create_failed(const Answer& answer, Progress& progress, const SyncContext& context) {
  const Refusal refusal = read_refusal(answer);
  const bool is_denied = refusal.is_admission_denial();
  if (answer.response.code == 403 && !is_denied && refusal.has_cause("NamespaceTerminating")) {
    context.state.expectations.creation_pointless();
    return {};
  }
  std::string error = error_text(answer);
  Report report{
      .event =
          Event{.warning = true, .reason = "FailedCreate", .message = "Error creating: " + error}};
  if ((answer.unknown() && !is_denied) || answer.succeeded()) {
    report.count = Count::kCreatesUnknown;
    context.state.expectations.creation_unknown(context.now);
  } else {
    report.count = Count::kCreatesRefused;
    context.state.expectations.not_created(1);
    if (may_log_refusal(context)) report.refusal = error;
  }
  progress.creation.slow_start.failed();
  if (!progress.failure) {
    progress.failure = ConditionText{.reason = "FailedCreate", .message = std::move(error)};
  }
  return report;
}

}  // namespace

Report owner_read(const Answer& answer, Progress& progress, const SyncContext& context) {
  const auto live = answer.succeeded() ? read_written(answer) : std::nullopt;
  std::string problem;
  if (!answer.succeeded()) {
    problem = error_text(answer);
  } else if (!live || live->uid != context.uid) {
    problem = fmt::format("ReplicaSet {}/{} with uid {} is gone", context.key.namespace_name,
                          context.key.name, context.uid);
  } else if (live->deleting) {
    problem =
        fmt::format("{}/{} has just been deleted", context.key.namespace_name, context.key.name);
  } else {
    progress.owner = Progress::Owner::kMayAdopt;
    return {};
  }
  progress.owner = Progress::Owner::kMustNot;
  progress.claim_error = "can't adopt pods: " + problem;
  return {.count = Count::kAdoptionsRefused};
}

Report pod_patched(const PendingCall& pending, const Answer& answer, Progress& progress,
                   const SyncContext& context) {
  const bool adoption = pending.what == What::kAdopt;
  if (answer.succeeded()) {
    if (adoption) progress.adopted.insert(pending.pod_uid);
    if (const auto written = read_written(answer))
      context.state.written.wrote_pod(written->revision);
    return {.count = adoption ? Count::kAdoptions : Count::kReleases};
  }
  // The next sync tries a withdrawn call again.
  if (pending.withdrawn || progress.claim_error) return {};
  // A pod that is gone need not be claimed. A release refused as invalid concerns another pod of
  // the same name, or a pod that no longer has this owner.
  const bool is_refused =
      answer.outcome == Answer::Outcome::kAnswered && !is_admission_denial(answer);
  const int code = is_refused ? answer.response.code : 0;
  if (code == 404 || (code == 422 && !adoption)) return {};
  progress.claim_error = fmt::format("unable to {} pod {}: {}", adoption ? "adopt" : "release",
                                     pending.pod, error_text(answer));
  return {};
}

Report pod_created(const PendingCall& pending, const Answer& answer, Progress& progress,
                   const SyncContext& context) {
  if (was_withdrawn(pending, answer)) {
    context.state.expectations.not_created(1);
    progress.creation.slow_start.failed();
    return {};
  }
  const auto written = answer.succeeded() ? read_written(answer) : std::nullopt;
  if (!written) return create_failed(answer, progress, context);
  const Pod* const seen = context.store.pod(context.key.namespace_name, written->name);
  context.state.expectations.created(written->uid, written->revision);
  if (seen != nullptr && seen->uid.view() == written->uid)
    context.state.expectations.saw_pod(written->uid);
  context.state.written.wrote_pod(written->revision);
  return {.event = Event{.reason = "SuccessfulCreate", .message = "Created pod: " + written->name}};
}

Report pod_deleted(const PendingCall& pending, const Answer& answer, Progress& progress,
                   const SyncContext& context) {
  Expectations& expectations = context.state.expectations;
  Decision::Victim& victim = progress.removal.decision.victims[pending.number];
  if (was_withdrawn(pending, answer)) {
    victim.outcome = "not wanted any more";
    victim.spared = true;
    expectations.deletion_refused(pending.pod_uid, context.now);
    return {};
  }
  DeleteOutcome result = judge_delete(answer);
  if (result == DeleteOutcome::kUnknown && !context.safeguards.repeats_unknown_deletes) {
    result = DeleteOutcome::kRefused;
  }
  switch (result) {
    case DeleteOutcome::kGranted:
      victim.outcome = "deleted";
      expectations.deletion_granted(pending.pod_uid);
      return {.event =
                  Event{.reason = "SuccessfulDelete", .message = "Deleted pod: " + pending.pod}};
    case DeleteOutcome::kMissed:
      // It stays expected until the cache shows that it is gone.
      victim.outcome = "gone already";
      expectations.deletion_missed(pending.pod_uid, context.now);
      return {.count = Count::kDeletesMissed};
    case DeleteOutcome::kUnknown:
      victim.outcome = kUnknownOutcome;
      expectations.deletion_unknown(pending.pod_uid, context.now);
      return {};
    case DeleteOutcome::kRefused:
      break;
  }
  const std::string error = error_text(answer);
  victim.outcome = "refused: " + error;
  victim.spared = true;
  expectations.deletion_refused(pending.pod_uid, context.now);
  if (!progress.failure) {
    progress.failure =
        ConditionText{.reason = "FailedDelete", .message = "unable to delete pods: " + error};
  }
  return {.count = Count::kDeletesRefused,
          .event = Event{
              .warning = true, .reason = "FailedDelete", .message = "Error deleting: " + error}};
}

Step status_written(const Answer& answer, Progress& progress, const SyncContext& context) {
  if (answer.succeeded()) {
    if (const auto written = read_written(answer)) {
      context.state.written.wrote_set(written->revision);
      context.state.status_written = std::max(context.state.status_written, written->revision);
      context.state.status_unknown = false;
    }
    return finish(progress);
  }
  if (answer.unknown()) context.state.status_unknown = true;
  if (progress.status_retried || context.state.uid != context.uid)
    return {.error = error_text(answer)};
  progress.status_retried = true;
  return read_live(Step::Kind::kReadForStatus, context.key);
}

Step status_read(const Answer& answer, const Progress& progress, const SyncContext& context) {
  const bool missing = answer.outcome == Answer::Outcome::kAnswered && answer.response.code == 404;
  if (!answer.succeeded() && !missing) return {.error = error_text(answer)};
  auto object = missing ? boost::json::object() : parse_document(answer.response.body.str());
  if (!object) return {.error = "the ReplicaSet in the API server's answer is not a JSON object"};
  if (schema::text_at(*object, {"metadata", "uid"}) != context.uid) {
    context.state.gone = true;
    return {};
  }
  (*object)["status"] = progress.status;
  return write_status(std::move(*object), context.key);
}

}  // namespace ebb::control::replicasets
