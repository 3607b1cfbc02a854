// The answers to the calls of a sync of a ReplicaSet: each changes its progress and its lasting
// state, and says what to report. As with the steps (replica_set_step.h), nothing is sent here.
#pragma once  // private to its room

#include <optional>
#include <string>

#include "control/controller/controller.h"
#include "control/controller/pending_calls.h"
#include "control/core/call.h"
#include "control/core/telemetry.h"
#include "control/replicaset/replica_set_step.h"

namespace ebb::control::replicasets {

struct [[nodiscard]] Report {
  std::optional<Count> count{};
  std::optional<Event> event{};          // without object and component
  std::optional<std::string> refusal{};  // to be logged: why pods cannot be created
};

// The live read before an adoption.
Report owner_read(const Answer& answer, Progress& progress, const SyncContext& context);
// Adopted or released.
Report pod_patched(const PendingCall& pending, const Answer& answer, Progress& progress,
                   const SyncContext& context);
Report pod_created(const PendingCall& pending, const Answer& answer, Progress& progress,
                   const SyncContext& context);
Report pod_deleted(const PendingCall& pending, const Answer& answer, Progress& progress,
                   const SyncContext& context);
// A refused write is repeated once, on top of a live read.
Step status_written(const Answer& answer, Progress& progress, const SyncContext& context);
Step status_read(const Answer& answer, const Progress& progress, const SyncContext& context);

}  // namespace ebb::control::replicasets
