#include "control/deployment/deployment_progress.h"

#include <algorithm>

#include <fmt/format.h>

#include "control/deployment/deployment_conditions.h"
#include "control/deployment/deployment_status.h"
#include "model/api/requests.h"
#include "schema/core/json.h"

namespace ebb::control::deployments {
namespace {

namespace json = boost::json;

std::int64_t count(const json::object& status, std::string_view name) {
  return schema::integer_at(status, {name}).value_or(0);
}

const json::object* progressing(const DeploymentView& deployment) {
  const json::object* status = schema::object_at(deployment.object, {"status"});
  return status == nullptr ? nullptr : find_condition(*status, kProgressing);
}

Timestamp deadline(const DeploymentView& deployment, const json::object& condition) {
  const Timestamp since = model::time_at(condition, {"lastUpdateTime"});
  const Nanoseconds from = since.is_zero() ? 0 : since.since_epoch_ns();
  return Timestamp::from_nanoseconds(from +
                                     *deployment.progress_deadline_seconds * kNanosecondsPerSecond);
}

bool gets_on(const DeploymentView& before, const json::object& status) {
  const std::int64_t updated = count(status, "updatedReplicas");
  return updated > before.updated ||
         count(status, "replicas") - updated < before.status_replicas - before.updated ||
         count(status, "readyReplicas") > before.ready ||
         count(status, "availableReplicas") > before.available;
}

bool timed_out(const DeploymentView& deployment, const json::object& status, Timestamp now) {
  const json::object* condition = find_condition(status, kProgressing);
  if (condition == nullptr || reason_of(condition) == kNewReplicaSetAvailable) return false;
  if (reason_of(condition) == kProgressDeadlineExceeded) return true;
  return deadline(deployment, *condition) < now;
}

}  // namespace

bool is_complete(const DeploymentView& deployment, const json::object& status) {
  return count(status, "updatedReplicas") == deployment.replicas &&
         count(status, "replicas") == deployment.replicas &&
         count(status, "availableReplicas") == deployment.replicas &&
         count(status, "observedGeneration") >= deployment.generation;
}

namespace {

// A completed rollout stays complete, whatever happens to single pods.
bool is_through(const json::object* condition, const json::object& status) {
  return reason_of(condition) == kNewReplicaSetAvailable &&
         count(status, "replicas") == count(status, "updatedReplicas");
}

}  // namespace

void judge_progress(const DeploymentView& deployment, const SetView* fresh, json::object& status,
                    Timestamp now) {
  if (!deployment.progress_deadline_seconds) {
    remove_condition(status, kProgressing);
    return;
  }
  const json::object* before = progressing(deployment);
  if (is_through(before, status)) return;
  const std::string who = fresh == nullptr ? fmt::format("Deployment \"{}\"", deployment.key.name)
                                           : fmt::format("ReplicaSet \"{}\"", fresh->name);
  if (is_complete(deployment, status)) {
    set_condition(status, make_condition(kProgressing, kTrue, kNewReplicaSetAvailable,
                                         fmt::format("{} has successfully progressed.", who), now));
  } else if (gets_on(deployment, status)) {
    // Progress counts from now even if there was progress before, so an unchanged reason does not
    // keep the old time.
    json::object condition = make_condition(kProgressing, kTrue, "ReplicaSetUpdated",
                                            fmt::format("{} is progressing.", who), now);
    if (before != nullptr && schema::text_at(*before, {"status"}) == kTrue) {
      if (const json::value* since = before->if_contains("lastTransitionTime")) {
        condition["lastTransitionTime"] = *since;
      }
    }
    remove_condition(status, kProgressing);
    set_condition(status, std::move(condition));
  } else if (timed_out(deployment, status, now)) {
    set_condition(status, make_condition(kProgressing, kFalse, kProgressDeadlineExceeded,
                                         fmt::format("{} has timed out progressing.", who), now));
  }
}

std::optional<Nanoseconds> time_to_deadline_ns(const DeploymentView& deployment,
                                               const json::object& status, Timestamp now) {
  const json::object* condition = progressing(deployment);
  if (!deployment.progress_deadline_seconds || condition == nullptr ||
      reason_of(condition) == kProgressDeadlineExceeded || is_complete(deployment, status) ||
      is_through(condition, status)) {
    return std::nullopt;
  }
  // Capped at the deadline: otherwise a clock that was set back would extend the wait.
  const Nanoseconds left = std::min(elapsed_ns(now, deadline(deployment, *condition)),
                                    *deployment.progress_deadline_seconds * kNanosecondsPerSecond);
  // Just past the deadline is soon enough; if it is far away, an extra second does not matter.
  constexpr Nanoseconds kJustAfter = 10'000'000;
  if (left < 0) return kNanosecondsPerSecond;  // nothing would be reported if it ran at once
  if (left < kNanosecondsPerSecond) return left + kJustAfter;
  return left + kNanosecondsPerSecond;
}

}  // namespace ebb::control::deployments
