// Nodes from JSON.
#pragma once

#include "model/json/json_value.h"
#include "model/records/node.h"

namespace ebb::model {

[[nodiscard]] Node decode_node(const JsonValue& object);

}  // namespace ebb::model
