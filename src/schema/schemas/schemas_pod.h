// Schemas of pods and pod templates.
#pragma once

#include "schema/core/object_schema.h"

namespace ebb::schema {

extern const ObjectSchema kPodSpec;
extern const ObjectSchema kPod;
extern const ObjectSchema kPodTemplateSpec;

}  // namespace ebb::schema
