// Schemas of ebb.dev/v1alpha1, and of the pod picker, which workloads contain as well.
#pragma once

#include "schema/core/object_schema.h"

namespace ebb::schema {

extern const ObjectSchema kPodPicker;
extern const ObjectSchema kDownscalePolicy;
extern const ObjectSchema kPodGroupCost;
extern const ObjectSchema kDownscaleDecision;

}  // namespace ebb::schema
