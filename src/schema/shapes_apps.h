// Shapes of apps/v1.
#pragma once

#include "schema/shape.h"

namespace ebb::schema {

extern const Shape kDeployment;
extern const Shape kReplicaSet;

}  // namespace ebb::schema
