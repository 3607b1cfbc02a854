// Whether a rollout gets on, is through, or has run out of time.
#pragma once

#include <boost/json/object.hpp>

#include "base/timestamp.h"
#include "control/deployment_view.h"

namespace ebb::control::deployments {

// Brings the condition Progressing of `status`, whose counts are new, up to date. The
// Deployment itself still has the status before.
void judge_progress(const DeploymentView& deployment, const SetView* fresh,
                    boost::json::object& status, Timestamp now);

}  // namespace ebb::control::deployments
