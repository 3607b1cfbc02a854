// Schemas of volumes.
#pragma once  // private to its room

#include "schema/core/object_schema.h"

namespace ebb::schema {

extern const ObjectSchema kVolume;

}  // namespace ebb::schema
