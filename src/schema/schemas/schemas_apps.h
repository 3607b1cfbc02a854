// Schemas of apps/v1.
#pragma once

#include "schema/core/object_schema.h"

namespace ebb::schema {

extern const ObjectSchema kDeployment;
extern const ObjectSchema kReplicaSet;

}  // namespace ebb::schema
