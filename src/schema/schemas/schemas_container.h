// Schemas of containers.
#pragma once  // private to its room

#include "schema/core/object_schema.h"

namespace ebb::schema {

extern const ObjectSchema kResourceRequirements;
extern const ObjectSchema kContainer;
extern const ObjectSchema kEphemeralContainer;

}  // namespace ebb::schema
