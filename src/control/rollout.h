// Whether a Deployment is between two ReplicaSets.
#pragma once

#include "control/store.h"

namespace ebb::control {

// Whether another ReplicaSet of its Deployment has pods, or is to have some.
[[nodiscard]] bool is_rolling(const ReplicaSet& set, const Store& store);

}  // namespace ebb::control
