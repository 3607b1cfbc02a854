// Schemas of the status of pods.
#pragma once  // private to its room

#include "schema/core/object_schema.h"

namespace ebb::schema {

extern const ObjectSchema kPodStatus;

}  // namespace ebb::schema
