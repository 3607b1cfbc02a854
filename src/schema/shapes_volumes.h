// Shapes of volumes.
#pragma once

#include "schema/shape.h"

namespace ebb::schema {

extern const Shape kVolume;

}  // namespace ebb::schema
