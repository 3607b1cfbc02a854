// The cost-ranking component: ranks the pods of workloads that have a policy with `ranking`, and
// writes the ranks where controllers read them. It deletes nothing and creates no pods. Nobody
// waits for it but who says so (waitSeconds).
#pragma once

#include <memory>

#include "control/policy_reports.h"
#include "control/port.h"

namespace ebb::control {

[[nodiscard]] std::unique_ptr<Controller> make_ranker(const ControllerContext& context,
                                                      std::shared_ptr<PolicyReports> reports);

}  // namespace ebb::control
