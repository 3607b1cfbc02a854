// Shapes of references to other objects.
#pragma once

#include "schema/shape.h"

namespace ebb::schema {

// The permissions of a file: 0644.
constexpr Field file_mode(std::uint16_t number, std::string_view name) {
  return field(number, name, Type::kInt32).optional_zero().at_least(0).at_most(0777);
}

extern const Shape kKeyToPath;
extern const Shape kLocalObjectReference;
extern const Shape kObjectFieldSelector;
extern const Shape kResourceFieldSelector;
extern const Shape kTypedLocalObjectReference;
extern const Shape kTypedObjectReference;
extern const Shape kObjectReference;

}  // namespace ebb::schema
