#include "control/deployment/deployment_status.h"

#include <algorithm>

#include <boost/json/array.hpp>

#include "control/core/semantic_equality.h"
#include "control/deployment/deployment_conditions.h"
#include "control/deployment/deployment_progress.h"
#include "schema/core/json.h"
#include "schema/schemas/schemas_apps.h"

namespace ebb::control::deployments {
namespace {

namespace json = boost::json;

struct Totals {
  std::int64_t wanted = 0;
  std::int64_t replicas = 0;
  std::int64_t ready = 0;
  std::int64_t available = 0;
  std::optional<std::int64_t> terminating = 0;
};

Totals add_up(const Snapshot& snapshot) {
  Totals totals;
  for (const SetView& set : snapshot.sets) {
    totals.wanted += set.replicas;
    totals.replicas += set.status_replicas;
    totals.ready += set.ready;
    totals.available += set.available;
    // A ReplicaSet that has never been synced has no pods; one synced by a controller that does not
    // count terminating pods makes the sum unknown.
    if (!set.terminating && set.observed_generation == 0) continue;
    if (!set.terminating) {
      totals.terminating.reset();
    } else if (totals.terminating) {
      *totals.terminating += *set.terminating;
    }
  }
  return totals;
}

// Zero is omitted, as the API server does.
void set_count(json::object& status, std::string_view name, std::int64_t count) {
  if (count == 0) {
    status.stable_erase(name);
  } else {
    status[name] = count;
  }
}

json::object availability(const DeploymentView& deployment, std::int64_t available, Timestamp now) {
  if (available >= deployment.replicas - deployment.unavailable) {
    return make_condition(kAvailable, kTrue, "MinimumReplicasAvailable",
                          "Deployment has minimum availability.", now);
  }
  return make_condition(kAvailable, kFalse, "MinimumReplicasUnavailable",
                        "Deployment does not have minimum availability.", now);
}

// The failure of a ReplicaSet, as a condition of the Deployment.
std::optional<json::object> failure_of(const SetView& set) {
  if (set.failure == nullptr) return std::nullopt;
  json::object condition = *set.failure;
  if (const json::value* since = set.failure->if_contains("lastTransitionTime")) {
    condition["lastUpdateTime"] = *since;
  }
  return condition;
}

std::optional<json::object> first_failure(const Snapshot& snapshot, const SetView* fresh) {
  if (fresh != nullptr) {
    if (auto failure = failure_of(*fresh)) return failure;
  }
  for (const SetView& set : snapshot.sets) {
    if (auto failure = failure_of(set)) return failure;
  }
  return std::nullopt;
}

}  // namespace

json::object plain_status(const Snapshot& snapshot, const SetView* fresh, Timestamp now,
                          const model::FeatureGates& gates) {
  const DeploymentView& deployment = snapshot.deployment;
  const json::object* known = schema::object_at(deployment.object, {"status"});
  json::object status = known == nullptr ? json::object() : *known;
  const Totals totals = add_up(snapshot);
  set_count(status, "observedGeneration", deployment.generation);
  set_count(status, "replicas", totals.replicas);
  set_count(status, "updatedReplicas", fresh == nullptr ? 0 : fresh->status_replicas);
  set_count(status, "readyReplicas", totals.ready);
  set_count(status, "availableReplicas", totals.available);
  set_count(status, "unavailableReplicas",
            std::max<std::int64_t>(totals.wanted - totals.available, 0));
  if (totals.terminating && gates.on(model::Gate::kDeploymentReplicaSetTerminatingReplicas)) {
    status["terminatingReplicas"] = *totals.terminating;
  } else {
    status.stable_erase("terminatingReplicas");
  }
  set_condition(status, availability(deployment, totals.available, now));
  return status;
}

json::object rollout_status(const Snapshot& snapshot, const SetView* fresh, Timestamp now,
                            const model::FeatureGates& gates) {
  json::object status = plain_status(snapshot, fresh, now, gates);
  judge_progress(snapshot.deployment, fresh, status, now);
  if (auto failure = first_failure(snapshot, fresh)) {
    set_condition(status, std::move(*failure));
  } else {
    remove_condition(status, kReplicaFailure);
  }
  return status;
}

bool same_status(const json::object& a, const json::object& b) {
  static const schema::ObjectSchema& schema = *schema::kDeployment.find("status")->schema;
  return semantically_equal(schema, a, b);
}

}  // namespace ebb::control::deployments
