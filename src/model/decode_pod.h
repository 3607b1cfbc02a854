// One decoder per kind. Each reads the fields its record has; what does not fit
// is reported through the value's context.
#pragma once

#include "model/json_value.h"
#include "model/pod.h"

namespace ebb::model {

[[nodiscard]] Pod decode_pod(const JsonValue& object);

}  // namespace ebb::model
