// The requests of the Deployment controller. Each is safe to repeat.
#pragma once

#include <string_view>

#include <boost/json/object.hpp>

#include "control/deployment_decision.h"

namespace ebb::control::deployments {

[[nodiscard]] Write create_set(const DeploymentView& deployment, const boost::json::object& set);
// `changed` has the resourceVersion of what was read.
[[nodiscard]] Write replace_set(const DeploymentView& deployment, const SetView& set,
                                boost::json::object changed);
// With a note of what it was scaled for.
[[nodiscard]] Write resize_set(const DeploymentView& deployment, const SetView& set,
                               std::int64_t replicas);
// Only as it is known: if somebody has scaled it up meanwhile, it stays.
[[nodiscard]] Write delete_set(const DeploymentView& deployment, const SetView& set);
[[nodiscard]] Write replace_deployment(const DeploymentView& deployment,
                                       boost::json::object changed);
// The status, and the annotation of the revision unless it is empty: /status keeps annotations.
[[nodiscard]] Write write_status(const DeploymentView& deployment, boost::json::object status,
                                 std::string_view revision = {});

}  // namespace ebb::control::deployments
