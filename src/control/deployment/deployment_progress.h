// Whether a rollout is progressing, is complete, or has timed out.
#pragma once  // private to its room

#include <boost/json/object.hpp>

#include "base/timestamp.h"
#include "control/deployment/deployment_view.h"

namespace ebb::control::deployments {

// Updates the condition Progressing of `status`, whose counts are new. The Deployment itself still
// has the previous status.
void judge_progress(const DeploymentView& deployment, const SetView* fresh,
                    boost::json::object& status, Timestamp now);

}  // namespace ebb::control::deployments
