// Shapes of admissionregistration.k8s.io/v1: who is asked before a write takes effect.
#pragma once

#include "schema/shape.h"

namespace ebb::schema {

extern const Shape kMutatingWebhookConfiguration;
extern const Shape kValidatingWebhookConfiguration;

}  // namespace ebb::schema
