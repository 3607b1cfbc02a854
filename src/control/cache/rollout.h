// Detects rollouts of a Deployment, or of another kind that owns ReplicaSets.
#pragma once

#include "control/cache/store.h"

namespace ebb::control {

// Whether another ReplicaSet of the same owner has pods, or should have some.
[[nodiscard]] bool is_rolling(const ReplicaSet& set, const Store& store);

}  // namespace ebb::control
