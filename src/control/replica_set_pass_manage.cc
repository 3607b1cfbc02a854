// The part of a pass that creates missing pods and deletes surplus ones.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "control/delete_outcome.h"
#include "control/json_document.h"
#include "control/object_json.h"
#include "control/pod_requests.h"
#include "control/replica_set_pass.h"
#include "control/scale_down.h"
#include "model/selector_memo.h"

namespace ebb::control {

using What = Errand::What;

constexpr int kUnsupportedMediaType = 415;

void ReplicaSetPass::note(bool warning, std::string_view reason, std::string message, Now now,
                          std::string_view component) {
  const ReplicaSet* const found = set();
  around_.context.port.note({.kind = &replica_set_kind(),
                             .name_space = key_.namespace_name,
                             .name = key_.name,
                             .uid = uid_,
                             .resource_version = found == nullptr ? "" : found->resource_version,
                             .warning = warning,
                             .reason = std::string(reason),
                             .message = std::move(message),
                             .component = component},
                            now);
}

void ReplicaSetPass::manage(const ReplicaSet& set, const Claimed& pods, Now now) {
  const auto wanted = static_cast<std::size_t>(std::max(set.replicas, 0));
  const std::size_t active = pods.active.size();
  if (active > wanted) return scale_down(set, pods, std::min(active - wanted, kBurst), now);
  // Nothing is left to be picked or ranked.
  around_.desk.drop(key_);
  memory_.rank_wait = {};
  if (active < wanted) return scale_up(set, std::min(wanted - active, kBurst), now);
  write_status(now);
}

void ReplicaSetPass::scale_up(const ReplicaSet& set, std::size_t missing, Now now) {
  auto request = create_pod_request(set, around_.protobuf);
  if (!request) {
    failure_ = ConditionWords{.reason = "FailedCreate", .message = request.error().message};
    return write_status(now);
  }
  create_request_ = std::move(*request);
  slow_start_.emplace(missing);
  memory_.expectations.expect_creations(missing, now);
  send_creations(now);
}

void ReplicaSetPass::send_creations(Now now) {
  // A ReplicaSet that was changed meanwhile may want fewer pods, or others.
  const ReplicaSet* const found = set();
  const bool still_wanted =
      found != nullptr && found->generation == counts_.generation && !found->deleting;
  const std::size_t batch = still_wanted && !around_.stopping ? slow_start_->next_batch() : 0;
  for (std::size_t i = 0; i < batch; ++i) {
    send(Call::Kind::kWrite, What::kCreate, create_request_);
  }
  if (batch > 0) return;
  if (SetMemory* mine = memory()) mine->expectations.not_created(slow_start_->untried());
  managing_is_over(now);
}

void ReplicaSetPass::create_answered(const Errand& errand, const Answer& answer, Now now) {
  if (errand.confirmed) --creations_in_flight_;
  if (errand.withdrawn && answer.outcome == Answer::Outcome::kNotSent) {
    if (SetMemory* mine = memory()) mine->expectations.not_created(1);
    slow_start_->answered(false);
  } else {
    slow_start_->answered(judge_creation(answer, now));
  }
  if (slow_start_->batch_over()) send_creations(now);
}

// A full quota refuses hundreds of pods, again and again.
void ReplicaSetPass::tell_refusal(SetMemory& mine, std::string_view error, Now now) {
  constexpr Nanoseconds kBetweenNs = 60 * kNanosecondsPerSecond;
  if (!mine.refusal_told.is_zero() && elapsed_ns(mine.refusal_told, now.mono) < kBetweenNs) return;
  mine.refusal_told = now.mono;
  around_.context.telemetry.log(
      Severity::kWarning, 0,
      fmt::format("ReplicaSet {}/{} cannot create pods: {}", key_.namespace_name, key_.name, error),
      {{"replicaSet", ObjectName{key_.namespace_name, key_.name}}, {"err", error}});
}

// Whether it went well enough to go on with the next batch.
bool ReplicaSetPass::judge_creation(const Answer& answer, Now now) {
  Expectations none;  // for a ReplicaSet that is gone
  SetMemory* const mine = memory();
  Expectations& expectations = mine != nullptr ? mine->expectations : none;
  Telemetry& telemetry = around_.context.telemetry;

  const auto written = answer.succeeded() ? read_written(answer) : std::nullopt;
  if (written) {
    const model::Pod* const seen = around_.context.store.pod(key_.namespace_name, written->name);
    expectations.created(written->uid, written->revision);
    if (seen != nullptr && seen->uid.view() == written->uid) expectations.saw_pod(written->uid);
    if (mine != nullptr) mine->written.wrote_pod(written->revision);
    note(false, "SuccessfulCreate", fmt::format("Created pod: {}", written->name), now);
    return true;
  }
  if (answer.response.code == kUnsupportedMediaType && std::exchange(around_.protobuf, false)) {
    telemetry.log(Severity::kInfo, 1, "the API server takes no protobuf; going on in JSON");
  }
  const bool unknown = answer.unknown() || answer.succeeded();
  if (unknown) {
    telemetry.count(Count::kCreatesUnknown);
    expectations.creation_unknown(now);
  } else if (answer.response.code == 403 &&
             read_refusal(answer).has_cause("NamespaceTerminating")) {
    expectations.creation_pointless();
    return true;
  } else {
    telemetry.count(Count::kCreatesRefused);
    expectations.not_created(1);
    if (mine != nullptr) tell_refusal(*mine, error_text(answer), now);
  }
  const std::string error = error_text(answer);
  note(true, "FailedCreate", fmt::format("Error creating: {}", error), now);
  if (!failure_) failure_ = ConditionWords{.reason = "FailedCreate", .message = error};
  return false;
}

void ReplicaSetPass::delete_victims(ScaleDown down, Now now) {
  decision_ = std::move(down.decision);
  // The moment tells it from a predecessor's of the same number.
  const auto moment = static_cast<std::uint64_t>(now.wall.since_epoch_ns() / 1'000'000);
  decision_->id = fmt::format("{}-{}-{:x}", uid_, ++memory_.decisions, moment);
  memory_.expectations.expect_deletions(down.victims, now);
  for (std::size_t place = 0; place < down.victims.size(); ++place) {
    const PodName& pod = down.victims[place];
    const std::string_view precondition =
        around_.safeguards.uid_precondition ? std::string_view(pod.uid) : std::string_view();
    send(Call::Kind::kWrite, delete_pod_request(key_.namespace_name, pod.name, precondition),
         {.what = What::kDelete, .pod = pod.name, .pod_uid = pod.uid, .number = place});
  }
}

void ReplicaSetPass::delete_answered(const Errand& errand, const Answer& answer, Now now) {
  Expectations none;
  SetMemory* const mine = memory();
  Expectations& expectations = mine != nullptr ? mine->expectations : none;
  Decision::Victim& victim = decision_->victims[errand.number];
  std::string& outcome = victim.outcome;
  DeleteOutcome result = judge_delete(answer);
  if (result == DeleteOutcome::kUnknown && !around_.safeguards.repeats_unknown_deletes) {
    result = DeleteOutcome::kRefused;
  }
  if (errand.withdrawn && answer.outcome == Answer::Outcome::kNotSent) {
    outcome = "not wanted any more";
    victim.spared = true;
    expectations.deletion_refused(errand.pod_uid, now);
    if (under_way_ > 0) return;
    tell_decision(now);
    return managing_is_over(now);
  }
  switch (result) {
    case DeleteOutcome::kGranted:
      outcome = "deleted";
      expectations.deletion_granted(errand.pod_uid);
      note(false, "SuccessfulDelete", fmt::format("Deleted pod: {}", errand.pod), now);
      break;
    case DeleteOutcome::kMissed:
      // It stays expected until the cache agrees that it is gone.
      outcome = "gone already";
      around_.context.telemetry.count(Count::kDeletesMissed);
      expectations.deletion_granted(errand.pod_uid);
      break;
    case DeleteOutcome::kUnknown:
      outcome = kUnknownOutcome;
      expectations.deletion_unknown(errand.pod_uid, now);
      break;
    case DeleteOutcome::kRefused: {
      const std::string error = error_text(answer);
      outcome = fmt::format("refused: {}", error);
      victim.spared = true;
      around_.context.telemetry.count(Count::kDeletesRefused);
      expectations.deletion_refused(errand.pod_uid, now);
      note(true, "FailedDelete", fmt::format("Error deleting: {}", error), now);
      if (!failure_) {
        failure_ = ConditionWords{.reason = "FailedDelete",
                                  .message = fmt::format("unable to delete pods: {}", error)};
      }
      break;
    }
  }
  if (under_way_ > 0) return;
  tell_decision(now);
  managing_is_over(now);
}

// As many as claimed_pods() would list, for it is asked before every call.
std::size_t ReplicaSetPass::count_active(const ReplicaSet& set) const {
  model::SelectorMemo selector({&set.selector});
  const auto counts = [&](const model::Pod* pod) {
    return pod->name_space == set.name_space && pod->active() && selector.matches(pod->labels);
  };
  const Store& store = around_.context.store;
  const auto owned = store.pods_of(uid_);
  auto count = std::count_if(owned.begin(), owned.end(), counts);
  if (!adopted_.empty() && !set.deleting) {
    const auto orphans = store.orphans_in(set.name_space.view());
    count += std::count_if(orphans.begin(), orphans.end(), [&](const model::Pod* pod) {
      return adopted_.contains(pod->uid.view()) && counts(pod);
    });
  }
  return static_cast<std::size_t>(count);
}

std::size_t ReplicaSetPass::active_now(const ReplicaSet& set, std::uint64_t epoch) {
  if (!active_now_ || active_epoch_ != epoch) {
    active_now_ = count_active(set);
    active_epoch_ = epoch;
  }
  return *active_now_;
}

// Whether the pod is still there and still to be treated so.
bool ReplicaSetPass::still_claims(const ReplicaSet& set, const Errand& errand) const {
  const model::Pod* const pod = around_.context.store.pod(key_.namespace_name, errand.pod);
  if (pod == nullptr || pod->uid.view() != errand.pod_uid || !pod->active()) return false;
  const bool orphan = pod->controller == nullptr;
  if (!orphan && pod->controller->uid != set.uid) return false;
  const bool matches = pod->labels != nullptr && set.selector.matches(*pod->labels);
  switch (errand.what) {
    case What::kAdopt:
      return orphan && matches && !set.deleting;
    case What::kRelease:
      return !orphan && !matches && !set.deleting;
    default:
      return matches && (!orphan || adopted_.contains(pod->uid.view()));
  }
}

// Between the decision and the moment of sending may lie a long queue. More pods than are
// missing must not be created, nor more deleted than are too many, by what is known now.
bool ReplicaSetPass::still_wants(const Errand& errand, std::uint64_t epoch) {
  if (errand.pod.empty() && errand.what != What::kCreate) return true;
  const ReplicaSet* const found = set();
  SetMemory* const mine = memory();
  if (found == nullptr || mine == nullptr) return false;
  const auto wanted = static_cast<std::size_t>(std::max(found->replicas, 0));
  if (errand.what == What::kCreate) {
    if (found->generation != counts_.generation || found->deleting) return false;
    const std::size_t others = creations_in_flight_ - (errand.confirmed ? 1 : 0);
    const std::size_t there =
        active_now(*found, epoch) + mine->expectations.unseen_creations() + others;
    if (there >= wanted) return false;
    creations_in_flight_ += errand.confirmed ? 0 : 1;
    return true;
  }
  if (!still_claims(*found, errand)) return false;
  if (errand.what != What::kDelete) return true;
  const std::size_t going = mine->expectations.deletions_sent_besides(errand.pod_uid) + 1;
  if (found->deleting || active_now(*found, epoch) < wanted + going) return false;
  mine->expectations.deletion_sent(errand.pod_uid);
  return true;
}

void ReplicaSetPass::tell_decision(Now now) {
  for (const Decision::Victim& victim : decision_->victims) {
    if (!victim.spared) around_.context.telemetry.count(Count::kVictims, victim.rule);
  }
  around_.context.telemetry.decided(*decision_);
  report_to_policy();
  note(false, std::string(kDecisionReason), describe(*decision_), now, "ebb");
  if (SetMemory* mine = memory()) mine->unsettled.begin(*decision_);
}

void ReplicaSetPass::managing_is_over(Now now) {
  if (SetMemory* mine = memory()) mine->expectations.round_is_over(now);
  write_status(now);
}

}  // namespace ebb::control
