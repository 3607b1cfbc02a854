// Shapes of containers.
#pragma once

#include "schema/shape.h"

namespace ebb::schema {

extern const Shape kResourceRequirements;
extern const Shape kContainer;
extern const Shape kEphemeralContainer;

}  // namespace ebb::schema
