// The requests of the Deployment controller. Each is safe to repeat.
#pragma once  // private to its room

#include <string_view>

#include <boost/json/object.hpp>

#include "control/deployment/deployment_decision.h"

namespace ebb::control::deployments {

[[nodiscard]] Write create_set(const DeploymentView& deployment, const boost::json::object& set);
// `changed` carries the resourceVersion that was read.
[[nodiscard]] Write replace_set(const DeploymentView& deployment, const SetView& set,
                                boost::json::object changed);
// Also records what it was scaled for.
[[nodiscard]] Write resize_set(const DeploymentView& deployment, const SetView& set,
                               std::int64_t replicas);
// Carries a precondition: if another client has scaled it up meanwhile, it stays.
[[nodiscard]] Write delete_set(const DeploymentView& deployment, const SetView& set);
[[nodiscard]] Write replace_deployment(const DeploymentView& deployment,
                                       boost::json::object changed);
// The status, and the revision annotation unless it is empty: /status keeps annotations.
[[nodiscard]] Write write_status(const DeploymentView& deployment, boost::json::object status,
                                 std::string_view revision = {});

}  // namespace ebb::control::deployments
