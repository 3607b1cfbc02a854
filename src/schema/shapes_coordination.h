// Shapes of coordination.k8s.io/v1.
#pragma once

#include "schema/shape.h"

namespace ebb::schema {

extern const Shape kLease;

}  // namespace ebb::schema
