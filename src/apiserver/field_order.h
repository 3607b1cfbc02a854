// Findings in the order in which the fields stand in the schema.
#pragma once

#include <vector>

#include "model/status.h"
#include "schema/shape.h"

namespace ebb::apiserver {

// Those about the same field stay in their order.
[[nodiscard]] std::vector<model::StatusCause> in_field_order(
    const schema::Shape& shape, std::vector<model::StatusCause> causes);

}  // namespace ebb::apiserver
