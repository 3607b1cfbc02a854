// Where OpenAPI says something else than what the server does: Kubernetes makes it from the types
// of its source, not from its validation. kubectl explain shows what it says, so we say the same.
#pragma once

#include <boost/json/array.hpp>

#include "schema/shape.h"

namespace ebb::apiserver {

// Whether a field is called required: what is refused when it is absent, and plain values that are
// always there; with exceptions both ways.
[[nodiscard]] bool is_called_required(const schema::Shape& shape, const schema::Field& field);

// The values that a field is said to have, in order; none if it can have any. Some are not
// listed though others are refused, and some are listed though others are taken.
[[nodiscard]] boost::json::array listed_choices(const schema::Shape& shape,
                                                const schema::Field& field);

}  // namespace ebb::apiserver
