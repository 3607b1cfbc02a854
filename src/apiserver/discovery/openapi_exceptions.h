// Places where OpenAPI differs from what the server does: Kubernetes generates it from Go types,
// not from validation. kubectl explain shows OpenAPI, so ebb repeats these differences.
#pragma once  // private to its room

#include <boost/json/array.hpp>

#include "schema/core/object_schema.h"

namespace ebb::apiserver {

// Returns true if OpenAPI lists a field as required: the server refuses its absence, or it is a
// plain value that is always set; with exceptions in both directions.
[[nodiscard]] bool is_called_required(const schema::ObjectSchema& object_schema,
                                      const schema::Field& field);

// The values that OpenAPI lists for a field, in order; empty if it lists none. Some lists are
// missing although the server refuses other values, and some exist although it accepts others.
[[nodiscard]] boost::json::array listed_choices(const schema::ObjectSchema& object_schema,
                                                const schema::Field& field);

}  // namespace ebb::apiserver
