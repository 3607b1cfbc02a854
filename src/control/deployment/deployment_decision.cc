#include "control/deployment/deployment_decision.h"

#include <algorithm>

#include <fmt/format.h>

#include "control/deployment/deployment_annotations.h"
#include "control/deployment/deployment_conditions.h"
#include "control/deployment/deployment_history.h"
#include "control/deployment/deployment_sizes.h"
#include "control/deployment/deployment_status.h"
#include "control/deployment/deployment_writes.h"
#include "control/deployment/new_replica_set.h"
#include "model/api/requests.h"
#include "schema/core/fast_equality.h"
#include "schema/core/json.h"

namespace ebb::control::deployments {
namespace {

namespace json = boost::json;
using Kind = Step::Kind;
using Strategy = DeploymentView::Strategy;

// Decides for one Deployment at one moment.
class Decision {
 public:
  Decision(const Snapshot& snapshot, const Done& done, const SyncContext& context)
      : snapshot_(snapshot),
        deployment_(snapshot.deployment),
        done_(done),
        context_(context),
        fresh_(find_new_set(snapshot)) {}

  [[nodiscard]] Step next() const {
    if (deployment_.selects_everything) return refuse_to_select_everything();
    if (deployment_.deleting) return finish(true);
    if (auto step = copy_picker()) return std::move(*step);
    if (auto step = record_pause()) return std::move(*step);
    if (auto step = update_new_set()) return std::move(*step);
    if (auto step = record_new_set()) return std::move(*step);
    if (done_.scaled) return finish(done_.scaled_plainly);
    if (deployment_.paused) return scale();
    if (const auto revision = rollback_revision(deployment_)) {
      return fresh_ == nullptr ? create() : go_back_to(*revision);
    }
    if (is_scaling(snapshot_) && !must_recreate_first()) return scale();
    switch (deployment_.strategy) {
      case Strategy::kRollingUpdate:
        return roll();
      case Strategy::kRecreate:
        return recreate();
      case Strategy::kUnknown:
        break;
    }
    return {.problem = "unexpected deployment strategy type"};
  }

 private:
  [[nodiscard]] const json::object& status() const {
    static const json::object kNone;
    const json::object* known = schema::object_at(deployment_.object, {"status"});
    return known == nullptr ? kNone : *known;
  }

  [[nodiscard]] Step refuse_to_select_everything() const {
    Step step;
    step.notice = Notice{.warning = true,
                         .reason = "SelectingAll",
                         .message =
                             "This deployment is selecting all pods. A non-empty selector is "
                             "required."};
    if (deployment_.observed_generation < deployment_.generation) {
      json::object seen = status();
      seen["observedGeneration"] = deployment_.generation;
      step.writes.push_back(write_status(deployment_, std::move(seen)));
    }
    return step;
  }

  // Whether the step may write this ReplicaSet back; `bytes` are those of the others.
  static bool may_write(const SetView& set, Step& step, std::size_t& bytes) {
    if (bytes >= kMaxBytesPerStep) {
      step.partial = true;
      return false;
    }
    bytes += set.bytes;
    if (!set.whole) step.unread.push_back(set.name);
    return set.whole;
  }

  // All ReplicaSets get the picker: a rollout removes pods of the old ones too.
  [[nodiscard]] std::optional<Step> copy_picker() const {
    if (done_.copied_picker || !context_.gates.on(model::Gate::kDownscalePodPicker)) {
      return std::nullopt;
    }
    const json::object* wanted =
        schema::object_at(deployment_.object, {"spec", "downscalePodPicker"});
    Step step{.kind = Kind::kCopyPicker};
    std::size_t bytes = 0;
    for (const SetView& set : snapshot_.sets) {
      const json::object* has = set.picker.get();
      if (set.deleting || (wanted == nullptr && has == nullptr)) continue;
      if (wanted != nullptr && has != nullptr && schema::fast_equal(*wanted, *has)) continue;
      if (!may_write(set, step, bytes)) continue;
      json::object changed = set.object;
      json::object& spec = schema::ensure_object(changed, {"spec"});
      if (wanted == nullptr) {
        spec.stable_erase("downscalePodPicker");
      } else {
        spec["downscalePodPicker"] = *wanted;
      }
      step.writes.push_back(replace_set(deployment_, set, std::move(changed)));
    }
    if (step.writes.empty() && step.unread.empty()) return std::nullopt;
    return step;
  }

  // A pause is reported at once, so that the paused time does not count against the deadline. A
  // rollout that has already timed out stays so.
  [[nodiscard]] std::optional<Step> record_pause() const {
    if (!deployment_.progress_deadline_seconds) return std::nullopt;
    const std::string_view reason = reason_of(find_condition(status(), kProgressing));
    if (reason == kProgressDeadlineExceeded) return std::nullopt;
    if (deployment_.paused == (reason == kDeploymentPaused)) return std::nullopt;
    json::object changed = status();
    set_condition(changed, deployment_.paused
                               ? make_condition(kProgressing, kUnknown, kDeploymentPaused,
                                                "Deployment is paused", context_.now)
                               : make_condition(kProgressing, kUnknown, "DeploymentResumed",
                                                "Deployment is resumed", context_.now));
    return Step{.kind = Kind::kPrepare, .writes = {write_status(deployment_, std::move(changed))}};
  }

  [[nodiscard]] std::optional<Step> update_new_set() const {
    if (fresh_ == nullptr) return std::nullopt;
    json::object changed = fresh_->object;
    bool differs =
        annotate_new_set(deployment_.object, next_revision(old_sets(snapshot_, fresh_)), changed);
    if (fresh_->min_ready_seconds != deployment_.min_ready_seconds) {
      schema::ensure_object(changed, {"spec"})["minReadySeconds"] = deployment_.min_ready_seconds;
      differs = true;
    }
    if (!differs) return std::nullopt;
    return Step{.kind = Kind::kPrepare,
                .writes = {replace_set(deployment_, *fresh_, std::move(changed))}};
  }

  // The Deployment gets the revision of its new ReplicaSet, and reports whether that was created or
  // found.
  [[nodiscard]] std::optional<Step> record_new_set() const {
    if (fresh_ == nullptr) return std::nullopt;
    json::object changed = status();
    bool differs = false;
    if (deployment_.progress_deadline_seconds) {
      if (done_.created) {
        differs = set_condition(
            changed, make_condition(kProgressing, kTrue, "NewReplicaSetCreated",
                                    fmt::format("Created new replica set \"{}\"", fresh_->name),
                                    context_.now));
      } else if (find_condition(changed, kProgressing) == nullptr) {
        differs = set_condition(
            changed, make_condition(kProgressing, kTrue, "FoundNewReplicaSet",
                                    fmt::format("Found new replica set \"{}\"", fresh_->name),
                                    context_.now));
      }
    }
    const std::string_view revision = annotation(fresh_->object, kRevision);
    differs |= !revision.empty() && revision != annotation(deployment_.object, kRevision);
    if (!differs) return std::nullopt;
    return Step{.kind = Kind::kPrepare,
                .writes = {write_status(deployment_, std::move(changed), revision)}};
  }

  [[nodiscard]] Step create() const {
    json::object set = make_new_set(snapshot_, context_.gates.on(model::Gate::kDownscalePodPicker));
    return {.kind = Kind::kCreate, .writes = {create_set(deployment_, set)}};
  }

  [[nodiscard]] Step resize(const std::vector<Resize>& resizes, bool plain) const {
    Step step{.kind = Kind::kScale, .plain = plain};
    std::size_t bytes = 0;
    for (const Resize& each : resizes) {
      if (!may_write(*each.set, step, bytes)) continue;
      step.writes.push_back(resize_set(deployment_, *each.set, each.to));
    }
    return step;
  }

  [[nodiscard]] std::optional<Step> clean_up() const {
    if (done_.cleaned_up) return std::nullopt;
    Step step{.kind = Kind::kCleanUp};
    for (const SetView* set : surplus_history(snapshot_, fresh_)) {
      step.writes.push_back(delete_set(deployment_, *set));
    }
    if (step.writes.empty()) return std::nullopt;
    return step;
  }

  // Going from several ReplicaSets to one comes first, or neither would ever complete.
  [[nodiscard]] bool must_recreate_first() const {
    const auto active = std::count_if(snapshot_.sets.begin(), snapshot_.sets.end(),
                                      [](const SetView& set) { return set.active(); });
    return deployment_.strategy == Strategy::kRecreate && active > 1;
  }

  [[nodiscard]] Step scale() const {
    const std::vector<Resize> resizes = scaling_step(snapshot_, fresh_);
    if (!resizes.empty()) return resize(resizes, true);
    if (deployment_.paused && !rollback_revision(deployment_)) {
      if (auto step = clean_up()) return std::move(*step);
    }
    return finish(true);
  }

  [[nodiscard]] Step go_back_to(std::int64_t revision) const {
    Rollback rollback = roll_back(snapshot_, revision);
    if (!rollback.unread.empty()) return {.unread = {rollback.unread}};
    Write write = replace_deployment(deployment_, std::move(rollback.deployment));
    write.once_done = Notice{.warning = !rollback.done,
                             .reason = std::move(rollback.reason),
                             .message = std::move(rollback.message)};
    return {.writes = {std::move(write)}};
  }

  [[nodiscard]] Step roll() const {
    if (fresh_ == nullptr) return create();
    const std::vector<Resize> resizes = rolling_update_step(snapshot_, *fresh_);
    if (!resizes.empty()) return resize(resizes, false);
    return clean_up_if_complete();
  }

  [[nodiscard]] Step recreate() const {
    const std::vector<Resize> down = scale_down_all_old(snapshot_, fresh_);
    if (!down.empty()) return resize(down, false);
    if (old_pods_are_left(snapshot_, fresh_)) return finish(false);
    if (fresh_ == nullptr) return create();
    if (fresh_->replicas != deployment_.replicas) {
      return resize({{fresh_, deployment_.replicas}}, false);
    }
    return clean_up_if_complete();
  }

  [[nodiscard]] Step clean_up_if_complete() const {
    if (is_complete(deployment_, status())) {
      if (auto step = clean_up()) return std::move(*step);
    }
    return finish(false);
  }

  [[nodiscard]] Step finish(bool plain) const {
    json::object wanted = plain ? plain_status(snapshot_, fresh_, context_.now, context_.gates)
                                : rollout_status(snapshot_, fresh_, context_.now, context_.gates);
    Step step;
    if (!same_status(status(), wanted)) {
      step.writes.push_back(write_status(deployment_, std::move(wanted)));
    } else if (!plain) {
      step.requeue_after_ns = time_to_deadline_ns(deployment_, wanted, context_.now);
    }
    return step;
  }

  const Snapshot& snapshot_;
  const DeploymentView& deployment_;
  const Done& done_;
  const SyncContext& context_;
  const SetView* fresh_;
};

}  // namespace

Step next_step(const Snapshot& snapshot, const Done& done, const SyncContext& context) {
  return Decision(snapshot, done, context).next();
}

Step count_collision(const Snapshot& snapshot) {
  const DeploymentView& deployment = snapshot.deployment;
  json::object status;
  if (const json::object* known = schema::object_at(deployment.object, {"status"})) status = *known;
  status["collisionCount"] = deployment.collision_count.value_or(0) + 1;
  return {.writes = {write_status(deployment, std::move(status))}};
}

Step report_refusal(const Snapshot& snapshot, std::string_view set_name, std::string_view why,
                    const SyncContext& context) {
  const DeploymentView& deployment = snapshot.deployment;
  constexpr std::string_view kReason = "ReplicaSetCreateError";
  const std::string message =
      fmt::format("Failed to create new replica set \"{}\": {}", set_name, why);
  Step step;
  step.notice = Notice{.warning = true, .reason = std::string(kReason), .message = message};
  if (!deployment.progress_deadline_seconds) return step;
  json::object status;
  if (const json::object* known = schema::object_at(deployment.object, {"status"})) status = *known;
  if (set_condition(status, make_condition(kProgressing, kFalse, kReason, message, context.now))) {
    step.writes.push_back(write_status(deployment, std::move(status)));
  }
  return step;
}

}  // namespace ebb::control::deployments
