// Schemas of subresources.
#pragma once

#include "schema/core/object_schema.h"

namespace ebb::schema {

extern const ObjectSchema kBinding;
extern const ObjectSchema kEviction;
extern const ObjectSchema kScale;

}  // namespace ebb::schema
