// The zero value of a field's type, as Go has it.
#pragma once

#include <boost/json/value.hpp>

#include "schema/core/object_schema.h"

namespace ebb::schema {

// `null` for types without one in JSON: times, and values of any type.
[[nodiscard]] boost::json::value zero_value(Type type);

}  // namespace ebb::schema
