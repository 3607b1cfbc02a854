#include "control/replicaset/replica_set_step.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "control/replicaset/pod_requests.h"
#include "model/api/requests.h"

namespace ebb::control::replicasets {
namespace {

using Kind = Step::Kind;
using Stage = Progress::Stage;
using What = PendingCall::What;

Step one_call(Kind kind, PlannedCall call) {
  Step step{.kind = kind};
  step.calls.push_back(std::move(call));
  return step;
}

// Decides for one ReplicaSet at one moment.
class NextStep {
 public:
  NextStep(const Snapshot& snapshot, Progress& progress, const SyncContext& context)
      : set_(snapshot.set), claim_(snapshot.claim), progress_(progress), context_(context) {}

  Step get() {
    switch (progress_.stage) {
      case Stage::kClaiming:
        return set_ == nullptr ? Step() : claim();
      case Stage::kManaging:
        return manage();
      case Stage::kCreating:
        return create_batch();
      case Stage::kDeleting:
        return end_round();
      case Stage::kReporting:
        break;
    }
    return report();
  }

 private:
  Step claim() {
    if (!claim_.adopted.empty() && progress_.owner == Progress::Owner::kNotRead) {
      // The cache may not show yet that the ReplicaSet is being deleted, and then it must not adopt
      // pods.
      return read_live(Kind::kReadOwner, context_.key);
    }
    Step step{.kind = Kind::kClaim};
    if (!claiming_failed()) {
      const ClaimPatches patches =
          next_patches(claim_, progress_.owner == Progress::Owner::kMayAdopt, progress_.patched);
      patch_each(patches.adopted, What::kAdopt, adopt_request, step);
      patch_each(patches.released, What::kRelease, release_request, step);
    }
    // After a full batch there may be more.
    if (step.calls.size() < kMaxPatches) progress_.stage = Stage::kManaging;
    return step.calls.empty() ? manage() : step;
  }

  // An error or a shutdown during one batch leaves the others to the next sync.
  [[nodiscard]] bool claiming_failed() const {
    return !progress_.patched.empty() && (progress_.claim_error || context_.stopping);
  }

  void patch_each(const std::vector<const Pod*>& pods, What what,
                  decltype(adopt_request)* make_request, Step& step) {
    for (const Pod* pod : pods) {
      progress_.patched.emplace(pod->uid.view());
      step.calls.push_back(
          {Call::Kind::kWrite,
           make_request(context_.key, context_.uid, pod->name.view(), pod->uid.view()),
           {.what = what,
            .pod = std::string(pod->name.view()),
            .pod_uid = std::string(pod->uid.view())}});
    }
  }

  Step manage() {
    if (progress_.claim_error) return {.error = std::move(progress_.claim_error)};
    if (set_ == nullptr) return {};
    progress_.stage = Stage::kReporting;
    progress_.counts =
        count_status(*set_, claim_.active, claim_.ignored,
                     context_.gates.on(model::Gate::kDeploymentReplicaSetTerminatingReplicas),
                     context_.now.wall);
    if (!progress_.may_manage || set_->deleting || context_.stopping) {
      Step step = report();
      step.ends_scale_down = set_->deleting;
      return step;
    }
    const auto wanted = static_cast<std::size_t>(std::max(set_->replicas, 0));
    const std::size_t active = claim_.active.size();
    if (active > wanted) {
      return {.kind = Kind::kScaleDown, .surplus = std::min(active - wanted, kBurst)};
    }
    context_.state.rank_wait = {};
    Step step = active < wanted ? create(std::min(wanted - active, kBurst)) : report();
    step.ends_scale_down = true;
    return step;
  }

  Step create(std::size_t missing) {
    context_.budget.spend(units_to_parse(set_->json.size()));
    auto request = create_pod_request(*set_, context_.protobuf);
    if (!request) {
      progress_.failure =
          ConditionText{.reason = "FailedCreate", .message = request.error().message};
      return report();
    }
    progress_.stage = Stage::kCreating;
    progress_.creation = {.slow_start = SlowStart(missing), .request = std::move(*request)};
    context_.state.expectations.expect_creations(missing, context_.now);
    return create_batch();
  }

  Step create_batch() {
    // The ReplicaSet may have changed meanwhile, and want fewer or different pods.
    const bool still_wanted =
        set_ != nullptr && set_->generation == progress_.counts.generation && !set_->deleting;
    auto& [slow_start, request] = progress_.creation;
    const std::size_t batch = still_wanted && !context_.stopping ? slow_start.next_batch() : 0;
    if (batch == 0) {
      context_.state.expectations.not_created(slow_start.untried());
      return end_round();
    }
    const PlannedCall call{Call::Kind::kWrite, request, {.what = What::kCreate}};
    return {.kind = Kind::kCreate, .calls = std::vector<PlannedCall>(batch, call)};
  }

  Step end_round() {
    context_.state.expectations.round_is_over(context_.now);
    progress_.stage = Stage::kReporting;
    return report();
  }

  Step report() {
    if (set_ == nullptr) return {};
    const StatusConditions conditions{progress_.failure, context_.state.rank_wait.reported};
    if (!may_need_new_status(*set_, progress_.counts, conditions)) return finish(progress_);
    context_.budget.spend(units_to_parse(set_->json.size()));
    auto object = with_new_status(*set_, progress_.counts, conditions, context_.now.wall);
    if (!object) return finish(progress_);
    progress_.status = object->at("status").as_object();
    return write_status(std::move(*object), context_.key);
  }

  const ReplicaSet* set_;
  const Claim& claim_;
  Progress& progress_;
  const SyncContext& context_;
};

}  // namespace

Step next_step(const Snapshot& snapshot, Progress& progress, const SyncContext& context) {
  return NextStep(snapshot, progress, context).get();
}

Step delete_pods(ScaleDown down, Progress& progress, const SyncContext& context) {
  progress.stage = Stage::kDeleting;
  // The time makes it unique: a predecessor may have used the same number.
  const auto moment = static_cast<std::uint64_t>(context.now.wall.since_epoch_ns() / 1'000'000);
  down.decision.id = fmt::format("{}-{}-{:x}", context.uid, ++context.state.decisions, moment);
  progress.removal.decision = std::move(down.decision);
  context.state.expectations.expect_deletions(down.victims, context.now);
  Step step{.kind = Kind::kDelete};
  for (PodName& pod : down.victims) {
    const std::string_view precondition =
        context.safeguards.uid_precondition ? pod.uid : std::string_view();
    model::ApiRequest request =
        delete_pod_request(context.key.namespace_name, pod.name, precondition);
    step.calls.push_back({Call::Kind::kWrite,
                          std::move(request),
                          {.what = What::kDelete,
                           .pod = std::move(pod.name),
                           .pod_uid = std::move(pod.uid),
                           .number = step.calls.size()}});
  }
  return step;
}

Step read_live(Kind kind, const Key& key) {
  return one_call(kind,
                  {Call::Kind::kRead,
                   model::get_request(model::object_path(replica_set_kind(), key)),
                   {.what = kind == Kind::kReadOwner ? What::kReadOwner : What::kReadForStatus}});
}

Step write_status(boost::json::object object, const Key& key) {
  object["apiVersion"] = "apps/v1";  // items of a list have no apiVersion
  object["kind"] = "ReplicaSet";
  return one_call(
      Kind::kWriteStatus,
      {Call::Kind::kWrite,
       model::replace_request(model::object_path(replica_set_kind(), key, "status"), object),
       {.what = What::kWriteStatus}});
}

Step finish(const Progress& progress) {
  if (!progress.failure) return {};
  return {.error = progress.failure->message};
}

std::optional<Nanoseconds> requeue_after_ns(const Progress& progress, Now now) {
  const auto available = next_available_after_ns(progress.counts, now.wall);
  if (progress.ranks_due.is_zero()) return available;
  const Nanoseconds ranks = std::max<Nanoseconds>(elapsed_ns(now.mono, progress.ranks_due), 0);
  return available ? std::min(*available, ranks) : ranks;
}

}  // namespace ebb::control::replicasets
