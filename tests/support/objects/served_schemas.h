// Every structure that the API server reads or writes, including nested ones.
#pragma once

#include <set>

#include "schema/core/object_schema.h"

namespace ebb::testing {

[[nodiscard]] std::set<const schema::ObjectSchema*> served_schemas();

}  // namespace ebb::testing
