// Objects of a shape for properties, untidy in the ways that an API server allows: null, unknown
// fields, numbers and times in other forms than the one they are kept in. Within a property only.
#pragma once

#include <boost/json/object.hpp>

#include "schema/shape.h"

namespace ebb::testing {

enum class Instants { kAny, kOnesThatFit };  // between 1678 and 2262

[[nodiscard]] boost::json::object any_object(const schema::Shape& shape,
                                             Instants instants = Instants::kAny);

}  // namespace ebb::testing
