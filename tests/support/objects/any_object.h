// Random objects of a schema for property tests, irregular in the ways that an API server accepts:
// null, unknown fields, numbers and times in non-canonical forms. Use only within a property.
#pragma once

#include <boost/json/object.hpp>

#include "schema/core/object_schema.h"

namespace ebb::testing {

enum class Instants { kAny, kOnesThatFit };  // between 1678 and 2262

[[nodiscard]] boost::json::object any_object(const schema::ObjectSchema& schema,
                                             Instants instants = Instants::kAny);

}  // namespace ebb::testing
