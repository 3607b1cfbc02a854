// Shapes of nodes.
#pragma once

#include "schema/shape.h"

namespace ebb::schema {

extern const Shape kNode;

}  // namespace ebb::schema
