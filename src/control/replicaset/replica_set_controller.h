// Keeps the number of pods of every ReplicaSet at spec.replicas.
//
// Any number of ReplicaSets sync concurrently (replica_set_sync.h); one that waits for answers does
// not delay the others. Between syncs, the controller repeats deletes of unknown outcome and looks
// for pods whose creation has an unknown outcome.
#pragma once

#include <memory>

#include "control/controller/controller.h"
#include "control/controller/process_settings.h"
#include "control/decisions/decision_queue.h"
#include "control/policy/policy_reports.h"

namespace ebb::control {

[[nodiscard]] std::unique_ptr<Controller> make_replica_set_controller(
    const ControllerContext& context, Safeguards safeguards);

// Queues that the policy and decision controllers read.
struct ReplicaSetOutputs {
  std::shared_ptr<PolicyReports> reports;         // what it does with policies
  std::shared_ptr<DecisionQueue> decisions = {};  // its decisions; null: not wanted
};
[[nodiscard]] std::unique_ptr<Controller> make_replica_set_controller(
    const ControllerContext& context, Safeguards safeguards, ReplicaSetOutputs outputs);

}  // namespace ebb::control
