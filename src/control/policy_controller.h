// Tells in the status of each DownscalePolicy what has become of it. It writes nothing else, and
// nobody waits for it.
#pragma once

#include <memory>

#include "control/policy_reports.h"
#include "control/policy_status.h"
#include "control/port.h"

namespace ebb::control {

[[nodiscard]] std::unique_ptr<Controller> make_policy_controller(
    const ControllerContext& context, std::shared_ptr<PolicyReports> reports,
    PolicyVoices voices = {});

}  // namespace ebb::control
