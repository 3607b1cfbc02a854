#include "control/replica_set_pass.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "control/json_document.h"
#include "control/object_json.h"
#include "control/pod_requests.h"
#include "model/requests.h"
#include "schema/json.h"

namespace ebb::control {

using What = Errand::What;

ReplicaSetPass::ReplicaSetPass(Key key, SetMemory& memory, Surroundings around)
    : key_(std::move(key)), uid_(memory.uid), memory_(memory), around_(around) {}

const ReplicaSet* ReplicaSetPass::set() const {
  const ReplicaSet* found = around_.context.store.replica_set(key_.namespace_name, key_.name);
  return found != nullptr && found->uid.view() == uid_ ? found : nullptr;
}

SetMemory* ReplicaSetPass::memory() const { return memory_.uid == uid_ ? &memory_ : nullptr; }

void ReplicaSetPass::begin(Now now) {
  const ReplicaSet* const found = set();
  if (found == nullptr || memory_.gone) return finish();
  // Before the pods are looked at: one that is seen in between may be counted or not, but it
  // must not be missed after what was expected has been crossed off.
  may_manage_ = !around_.safeguards.expectations || memory_.expectations.satisfied();
  if (found->selector.empty()) {
    around_.context.telemetry.log(
        Severity::kError, 0,
        fmt::format("ReplicaSet {}/{} has no selector that can be understood", key_.namespace_name,
                    key_.name),
        {{"replicaSet", ObjectName{key_.namespace_name, key_.name}}});
    return finish();
  }
  claim(now);
}

void ReplicaSetPass::answered(const Errand& errand, const Answer& answer, Now now) {
  EBB_CHECK(under_way_ > 0);
  --under_way_;
  switch (errand.what) {
    case What::kLookAtOwner:
      return owner_answered(answer, now);
    case What::kAdopt:
    case What::kRelease:
      return patch_answered(errand, answer, now);
    case What::kCreate:
      return create_answered(errand, answer, now);
    case What::kDelete:
      return delete_answered(errand, answer, now);
    case What::kWriteStatus:
      return status_answered(answer, now);
    case What::kReadForStatus:
      return status_read(answer, now);
    case What::kRepeatDelete:
    case What::kListPods:
      break;
  }
  EBB_CHECK(false);
}

std::vector<const Pod*> ReplicaSetPass::possible_pods(const ReplicaSet& set) const {
  std::vector<const Pod*> pods = around_.context.store.pods_of(uid_);
  const auto orphans = around_.context.store.orphans_in(set.name_space.view());
  pods.insert(pods.end(), orphans.begin(), orphans.end());
  return pods;
}

void ReplicaSetPass::claim(Now now) {
  const ReplicaSet* const found = set();
  if (found == nullptr) return finish();
  const Claim claim = claim_pods(*found, possible_pods(*found));
  if (!claim.adopted.empty() && owner_ == Owner::kNotLookedAt) {
    // The cache may not know yet that the ReplicaSet is being deleted; its pods are to be left
    // alone then.
    return send(Call::Kind::kRead, What::kLookAtOwner,
                model::get_request(model::object_path(replica_set_kind(), key_)));
  }
  if (send_patches(claim) == 0) claiming_is_over(now);
}

std::size_t ReplicaSetPass::send_patches(const Claim& claim) {
  const auto by_name = [](const Pod* a, const Pod* b) { return a->name.view() < b->name.view(); };
  std::vector<const Pod*> adopted;
  if (owner_ == Owner::kMayAdopt) adopted = claim.adopted;
  std::vector<const Pod*> released = claim.released;
  std::sort(adopted.begin(), adopted.end(), by_name);
  std::sort(released.begin(), released.end(), by_name);
  const auto send_each = [&](const std::vector<const Pod*>& pods, What what, auto make_request) {
    for (const Pod* pod : pods) {
      Errand errand{.what = what,
                    .pod = std::string(pod->name.view()),
                    .pod_uid = std::string(pod->uid.view())};
      model::ApiRequest request = make_request(key_, uid_, errand.pod, errand.pod_uid);
      send(Call::Kind::kWrite, std::move(request), std::move(errand));
    }
  };
  send_each(adopted, What::kAdopt, adopt_request);
  send_each(released, What::kRelease, release_request);
  return adopted.size() + released.size();
}

void ReplicaSetPass::owner_answered(const Answer& answer, Now now) {
  const auto live = answer.succeeded() ? read_written(answer) : std::nullopt;
  if (live && live->uid == uid_ && !live->deleting) {
    owner_ = Owner::kMayAdopt;
    return claim(now);
  }
  owner_ = Owner::kMustNot;
  around_.context.telemetry.count(Count::kAdoptionsRefused);
  if (!answer.succeeded()) {
    claim_error_ = fmt::format("can't adopt pods: {}", error_text(answer));
  } else if (!live || live->uid != uid_) {
    claim_error_ = fmt::format("can't adopt pods: {}/{} is not the ReplicaSet that was meant ({})",
                               key_.namespace_name, key_.name, uid_);
  } else {
    claim_error_ = fmt::format("can't adopt pods: {}/{} has just been deleted", key_.namespace_name,
                               key_.name);
  }
  claim(now);
}

void ReplicaSetPass::patch_answered(const Errand& errand, const Answer& answer, Now now) {
  const bool adoption = errand.what == What::kAdopt;
  const int code = answer.outcome == Answer::Outcome::kAnswered ? answer.response.code : 0;
  if (answer.succeeded()) {
    around_.context.telemetry.count(adoption ? Count::kAdoptions : Count::kReleases);
    if (adoption) adopted_.insert(errand.pod_uid);
    const auto written = read_written(answer);
    if (SetMemory* mine = memory(); mine != nullptr && written) {
      mine->written.wrote_pod(written->revision);
    }
  } else if (errand.withdrawn) {
    // The next pass looks at it anew.
  } else if (code != 404 && (adoption || code != 422) && !claim_error_) {
    // A pod that is gone need not be claimed. A release that is refused as invalid is of
    // another pod with the same name, or of one that has no such owner any more.
    claim_error_ = fmt::format("unable to {} pod {}: {}", adoption ? "adopt" : "release",
                               errand.pod, error_text(answer));
  }
  if (under_way_ == 0) claiming_is_over(now);
}

ReplicaSetPass::Claimed ReplicaSetPass::claimed_pods(const ReplicaSet& set) const {
  Claim claim = claim_pods(set, possible_pods(set));
  if (!claim.adopted.empty()) {
    // Orphans that came up meanwhile are the next pass's.
    std::erase_if(claim.active, [&](const Pod* pod) {
      return pod->controller == nullptr && !adopted_.contains(pod->uid.view());
    });
  }
  return {.active = std::move(claim.active), .ignored = std::move(claim.ignored)};
}

void ReplicaSetPass::claiming_is_over(Now now) {
  if (claim_error_) return fail(std::move(*claim_error_));
  const ReplicaSet* const found = set();
  if (found == nullptr) return finish();
  const Claimed pods = claimed_pods(*found);
  counts_ = count_status(
      *found, pods.active, pods.ignored,
      around_.context.gates.on(model::Gate::kDeploymentReplicaSetTerminatingReplicas), now.wall);
  min_ready_seconds_ = found->min_ready_seconds;
  if (found->deleting) around_.desk.drop(key_);
  if (may_manage_ && !found->deleting && !around_.stopping) return manage(*found, pods, now);
  write_status(now);
}

void ReplicaSetPass::write_status(Now now) {
  const ReplicaSet* const found = set();
  if (found == nullptr) return finish();
  auto object = with_new_status(*found, counts_, {failure_, memory_.rank_wait.told}, now.wall);
  if (!object) {
    if (failure_) return fail(failure_->message);
    return finish();
  }
  status_ = object->at("status").as_object();
  send_status(std::move(*object));
}

void ReplicaSetPass::send_status(boost::json::object object) {
  object["apiVersion"] = "apps/v1";  // items of a list come without
  object["kind"] = "ReplicaSet";
  send(Call::Kind::kWrite, What::kWriteStatus,
       model::replace_request(model::object_path(replica_set_kind(), key_, "status"), object));
}

void ReplicaSetPass::status_answered(const Answer& answer, Now) {
  if (answer.succeeded()) {
    const auto written = read_written(answer);
    if (SetMemory* mine = memory(); mine != nullptr && written) {
      mine->written.wrote_set(written->revision);
    }
    if (failure_) return fail(failure_->message);
    return finish();
  }
  if (status_retried_ || memory() == nullptr) return fail(error_text(answer));
  status_retried_ = true;
  around_.context.telemetry.count(Count::kStatusConflicts);
  send(Call::Kind::kRead, What::kReadForStatus,
       model::get_request(model::object_path(replica_set_kind(), key_)));
}

void ReplicaSetPass::status_read(const Answer& answer, Now) {
  const bool missing = answer.outcome == Answer::Outcome::kAnswered && answer.response.code == 404;
  if (!answer.succeeded() && !missing) return fail(error_text(answer));
  auto object = missing ? boost::json::object() : parse_document(answer.response.body.str());
  if (!object) return fail("the ReplicaSet that was read is no JSON object");
  if (schema::text_at(*object, {"metadata", "uid"}) != uid_) {
    if (SetMemory* mine = memory()) mine->gone = true;
    return finish();
  }
  (*object)["status"] = status_;
  send_status(std::move(*object));
}

std::optional<Nanoseconds> ReplicaSetPass::again_after_ns(Now now) const {
  if (error_) return std::nullopt;
  const auto available = next_available_after_ns(now);
  if (ranks_due_.is_zero()) return available;
  const Nanoseconds ranks = std::max<Nanoseconds>(elapsed_ns(now.mono, ranks_due_), 0);
  return available ? std::min(*available, ranks) : ranks;
}

std::optional<Nanoseconds> ReplicaSetPass::next_available_after_ns(Now now) const {
  if (min_ready_seconds_ == 0 || counts_.ready == counts_.available) return std::nullopt;
  // Never longer than it can take: a clock that was set back would make it wait for as long.
  const Nanoseconds longest = min_ready_seconds_ * kNanosecondsPerSecond;
  if (counts_.next_available.is_zero()) return longest;
  return std::clamp<Nanoseconds>(elapsed_ns(now.wall, counts_.next_available), 0, longest);
}

void ReplicaSetPass::send(Call::Kind kind, What what, model::ApiRequest request) {
  send(kind, std::move(request), Errand{.what = what});
}

void ReplicaSetPass::send(Call::Kind kind, model::ApiRequest request, Errand errand) {
  errand.key = key_;
  errand.set_uid = uid_;
  ++under_way_;
  around_.errands.send(kind, std::move(request), std::move(errand));
}

void ReplicaSetPass::fail(std::string error) {
  error_ = std::move(error);
  finish();
}

}  // namespace ebb::control
