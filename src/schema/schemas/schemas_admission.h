// Schemas of admissionregistration.k8s.io/v1.
#pragma once  // private to its room

#include "schema/core/object_schema.h"

namespace ebb::schema {

extern const ObjectSchema kMutatingWebhookConfiguration;
extern const ObjectSchema kValidatingWebhookConfiguration;

}  // namespace ebb::schema
