// Nodes from JSON.
#pragma once

#include "model/json_value.h"
#include "model/node.h"

namespace ebb::model {

[[nodiscard]] Node decode_node(const JsonValue& object);

}  // namespace ebb::model
