// Schemas of namespaces, secrets, config maps, service accounts and events.
#pragma once  // private to its room

#include "schema/core/object_schema.h"

namespace ebb::schema {

extern const ObjectSchema kNamespace;
extern const ObjectSchema kSecret;
extern const ObjectSchema kEvent;
extern const ObjectSchema kConfigMap;
extern const ObjectSchema kServiceAccount;

}  // namespace ebb::schema
