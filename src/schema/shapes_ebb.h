// Shapes of ebb.dev/v1alpha1, and of the pod picker that workloads carry as well.
#pragma once

#include "schema/shape.h"

namespace ebb::schema {

extern const Shape kPodPicker;
extern const Shape kDownscalePolicy;
extern const Shape kPodGroupCost;

}  // namespace ebb::schema
