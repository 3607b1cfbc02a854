// Writes each decision as a DownscaleDecision object in the namespace of its workload, and deletes
// the objects that exceed the limits (retention.h).
//
// Nothing waits for these objects. They are patient writes, a few at a time, and a record that
// cannot be written is dropped and counted. Records are written only while the existing ones are
// known: without the right to list them, nothing would delete them.
#pragma once

#include <memory>
#include <optional>

#include "control/controller/controller.h"
#include "control/decisions/decision_queue.h"
#include "control/decisions/retention.h"

namespace ebb::control {

// `guarded`: records are written only by the process that may act on this kind; nothing: always.
[[nodiscard]] std::unique_ptr<Controller> make_decision_controller(
    const ControllerContext& context, std::shared_ptr<DecisionQueue> decisions,
    DecisionLimits limits, std::optional<GuardedKind> guarded = GuardedKind::kReplicaSets);

}  // namespace ebb::control
