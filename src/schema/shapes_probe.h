// Shapes of probes and lifecycle hooks.
#pragma once

#include "schema/shape.h"

namespace ebb::schema {

extern const Shape kProbe;
extern const Shape kLifecycle;

}  // namespace ebb::schema
