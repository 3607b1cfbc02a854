// One decoder per kind. Each reads the fields of its record and reports invalid ones through the
// value's context.
#pragma once

#include "model/json/json_value.h"
#include "model/records/pod.h"

namespace ebb::model {

[[nodiscard]] Pod decode_pod(const JsonValue& object);

}  // namespace ebb::model
