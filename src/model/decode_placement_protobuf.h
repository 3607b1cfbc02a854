// Tolerations and anti-affinity of a pod from protobuf.
#pragma once

#include <string_view>

#include "model/placement.h"
#include "model/wire_reading.h"

namespace ebb::model {

// What decode_placement makes of the same pod in JSON: null if nothing is said. `spec` is the
// message of the pod's spec.
[[nodiscard]] const Placement* decode_placement_protobuf(std::string_view spec,
                                                         WireReading& reading);

}  // namespace ebb::model
