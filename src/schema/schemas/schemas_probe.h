// Schemas of probes and lifecycle hooks.
#pragma once  // private to its room

#include "schema/core/object_schema.h"

namespace ebb::schema {

extern const ObjectSchema kProbe;
extern const ObjectSchema kLifecycle;

}  // namespace ebb::schema
