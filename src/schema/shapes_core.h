// Shapes of namespaces, secrets, config maps, service accounts and events.
#pragma once

#include "schema/shape.h"

namespace ebb::schema {

extern const Shape kNamespace;
extern const Shape kSecret;
extern const Shape kEvent;
extern const Shape kConfigMap;
extern const Shape kServiceAccount;

}  // namespace ebb::schema
