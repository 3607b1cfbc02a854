// Tolerations and anti-affinity of a pod from JSON.
#pragma once

#include "model/json_value.h"
#include "model/placement.h"

namespace ebb::model {

// Null if nothing is said. `tolerations` and `affinity` are those of a pod's spec.
[[nodiscard]] const Placement* decode_placement(const JsonValue& tolerations,
                                                const JsonValue& affinity);

}  // namespace ebb::model
