// Shapes of services.
#pragma once

#include "schema/shape.h"

namespace ebb::schema {

extern const Shape kService;

}  // namespace ebb::schema
