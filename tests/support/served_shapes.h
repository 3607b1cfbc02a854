// Every structure that the API server reads or writes, with all that it is made of.
#pragma once

#include <set>

#include "schema/shape.h"

namespace ebb::testing {

[[nodiscard]] std::set<const schema::Shape*> served_shapes();

}  // namespace ebb::testing
