// Shapes of subresources.
#pragma once

#include "schema/shape.h"

namespace ebb::schema {

extern const Shape kBinding;
extern const Shape kEviction;
extern const Shape kScale;

}  // namespace ebb::schema
