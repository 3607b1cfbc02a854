// Schemas of security contexts.
#pragma once  // private to its room

#include "schema/core/object_schema.h"

namespace ebb::schema {

extern const ObjectSchema kSecurityContext;
extern const ObjectSchema kPodSecurityContext;

}  // namespace ebb::schema
