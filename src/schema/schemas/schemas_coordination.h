// Schemas of coordination.k8s.io/v1.
#pragma once  // private to its room

#include "schema/core/object_schema.h"

namespace ebb::schema {

extern const ObjectSchema kLease;

}  // namespace ebb::schema
