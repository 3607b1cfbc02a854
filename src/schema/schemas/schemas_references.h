// Schemas of references to other objects.
#pragma once  // private to its room

#include "schema/core/object_schema.h"

namespace ebb::schema {

// The permissions of a file: 0644.
constexpr Field file_mode(std::uint16_t number, std::string_view name) {
  return field(number, name, Type::kInt32).optional_zero().at_least(0).at_most(0777);
}

extern const ObjectSchema kKeyToPath;
extern const ObjectSchema kLocalObjectReference;
extern const ObjectSchema kObjectFieldSelector;
extern const ObjectSchema kResourceFieldSelector;
extern const ObjectSchema kTypedLocalObjectReference;
extern const ObjectSchema kTypedObjectReference;
extern const ObjectSchema kObjectReference;

}  // namespace ebb::schema
