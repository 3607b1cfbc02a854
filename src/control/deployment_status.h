// What a Deployment's status should say: counts, whether enough is available, and whether a
// rollout gets on.
#pragma once

#include <optional>

#include <boost/json/object.hpp>

#include "base/timestamp.h"
#include "control/deployment_view.h"
#include "model/feature_gates.h"

namespace ebb::control::deployments {

// Of a Deployment that is just scaled, paused or being deleted.
[[nodiscard]] boost::json::object plain_status(const Snapshot& snapshot, const SetView* fresh,
                                               Timestamp now, const model::FeatureGates& gates);
// Of one whose rollout is watched: progress and failures of its ReplicaSets as well.
[[nodiscard]] boost::json::object rollout_status(const Snapshot& snapshot, const SetView* fresh,
                                                 Timestamp now, const model::FeatureGates& gates);

[[nodiscard]] bool same_status(const boost::json::object& a, const boost::json::object& b);

// All replicas are of the new template and available, says this status of the Deployment.
[[nodiscard]] bool is_complete(const DeploymentView& deployment, const boost::json::object& status);

// When to look again whether the rollout has run out of time; nothing if it cannot.
[[nodiscard]] std::optional<Nanoseconds> time_to_deadline_ns(const DeploymentView& deployment,
                                                             const boost::json::object& status,
                                                             Timestamp now);

}  // namespace ebb::control::deployments
