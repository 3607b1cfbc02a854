// Shapes of security contexts.
#pragma once

#include "schema/shape.h"

namespace ebb::schema {

extern const Shape kSecurityContext;
extern const Shape kPodSecurityContext;

}  // namespace ebb::schema
