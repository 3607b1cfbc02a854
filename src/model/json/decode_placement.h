// Tolerations and anti-affinity of a pod from JSON.
#pragma once  // private to its room

#include "model/json/json_value.h"
#include "model/records/placement.h"

namespace ebb::model {

// Null if both are absent. `tolerations` and `affinity` are those of a pod's spec.
[[nodiscard]] const Placement* decode_placement(const JsonValue& tolerations,
                                                const JsonValue& affinity);

}  // namespace ebb::model
