// Shapes of the status of pods.
#pragma once

#include "schema/shape.h"

namespace ebb::schema {

extern const Shape kPodStatus;

}  // namespace ebb::schema
