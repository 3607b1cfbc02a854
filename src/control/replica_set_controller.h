// Keeps the number of pods of every ReplicaSet at what its spec says.
//
// Any number of ReplicaSets is worked on at the same time, one pass (replica_set_pass.h) each;
// waiting for answers holds up nobody else. Between passes it repeats deletes of unknown outcome
// and looks for pods whose creation has one.
#pragma once

#include <memory>

#include "control/policy_reports.h"
#include "control/port.h"
#include "control/process.h"

namespace ebb::control {

[[nodiscard]] std::unique_ptr<Controller> make_replica_set_controller(ControllerContext context,
                                                                      Safeguards safeguards);
// What it does with policies, it tells there.
[[nodiscard]] std::unique_ptr<Controller> make_replica_set_controller(
    ControllerContext context, Safeguards safeguards, std::shared_ptr<PolicyReports> reports);

}  // namespace ebb::control
