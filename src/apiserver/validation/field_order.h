// Sorts errors by the order of fields in the schema.
#pragma once  // private to its room

#include <vector>

#include "model/api/status.h"
#include "schema/core/object_schema.h"

namespace ebb::apiserver {

// Errors about the same field keep their order.
[[nodiscard]] std::vector<model::StatusCause> in_field_order(
    const schema::ObjectSchema& schema, std::vector<model::StatusCause> causes);

}  // namespace ebb::apiserver
