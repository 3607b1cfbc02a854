// A run with replicas of `ebb webhook` beside controllers that behave like the stock ones: they
// have their accounts, know neither pickers nor ranks, see pods later than ReplicaSets, and repeat
// deletes that were refused.
#pragma once  // private to its room

#include "sim/run.h"

namespace ebb::sim {

[[nodiscard]] RunResult run_with_webhook(const RunSettings& settings);

}  // namespace ebb::sim
