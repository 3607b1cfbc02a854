// Schemas of services.
#pragma once  // private to its room

#include "schema/core/object_schema.h"

namespace ebb::schema {

extern const ObjectSchema kService;

}  // namespace ebb::schema
