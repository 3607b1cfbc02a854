// Shapes of pods and their templates.
#pragma once

#include "schema/shape.h"

namespace ebb::schema {

extern const Shape kPodSpec;
extern const Shape kPod;
extern const Shape kPodTemplateSpec;

}  // namespace ebb::schema
