// Writes the status of each DownscalePolicy. It writes nothing else, and nothing waits for it.
#pragma once

#include <memory>

#include "control/controller/controller.h"
#include "control/policy/policy_reports.h"
#include "control/policy/policy_status.h"

namespace ebb::control {

[[nodiscard]] std::unique_ptr<Controller> make_policy_controller(
    const ControllerContext& context, std::shared_ptr<PolicyReports> reports,
    PolicyRoles roles = {});

}  // namespace ebb::control
