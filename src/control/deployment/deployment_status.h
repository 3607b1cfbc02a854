// Computes a Deployment's status: counts, availability, and the progress of a rollout.
#pragma once  // private to its room

#include <optional>

#include <boost/json/object.hpp>

#include "base/timestamp.h"
#include "control/deployment/deployment_view.h"
#include "model/records/feature_gates.h"

namespace ebb::control::deployments {

// For a Deployment that is being scaled, is paused or is being deleted.
[[nodiscard]] boost::json::object plain_status(const Snapshot& snapshot, const SetView* fresh,
                                               Timestamp now, const model::FeatureGates& gates);
// For a Deployment whose rollout is tracked: includes progress and failures of its ReplicaSets.
[[nodiscard]] boost::json::object rollout_status(const Snapshot& snapshot, const SetView* fresh,
                                                 Timestamp now, const model::FeatureGates& gates);

[[nodiscard]] bool same_status(const boost::json::object& a, const boost::json::object& b);

// According to `status`, all replicas have the new template and are available.
[[nodiscard]] bool is_complete(const DeploymentView& deployment, const boost::json::object& status);

// When to check again whether the rollout has timed out; nothing if it cannot.
[[nodiscard]] std::optional<Nanoseconds> time_to_deadline_ns(const DeploymentView& deployment,
                                                             const boost::json::object& status,
                                                             Timestamp now);

}  // namespace ebb::control::deployments
