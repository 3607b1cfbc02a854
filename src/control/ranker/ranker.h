// The cost-ranking component: ranks the pods of workloads whose policy has a `ranking`, and writes
// the ranks where controllers read them. It deletes nothing and creates no pods. A scale-down waits
// for it only if the policy says so (waitSeconds).
#pragma once

#include <memory>

#include "control/controller/controller.h"
#include "control/policy/policy_reports.h"

namespace ebb::control {

[[nodiscard]] std::unique_ptr<Controller> make_ranker(const ControllerContext& context,
                                                      std::shared_ptr<PolicyReports> reports);

}  // namespace ebb::control
