// Converts scalar values to Kubernetes' canonical form.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <boost/json/value.hpp>

#include "schema/core/object_schema.h"

namespace ebb::apiserver {

struct ScalarProblem {
  // If the JSON type is wrong: the expected type, as Kubernetes names it.
  std::string expected_type{};
  // Otherwise: the error in the value.
  std::string text{};
};

// Moves `in`, which must not be null, into `out` in canonical form: times in UTC with the precision
// that is stored, numbers without a redundant fraction, quantities and bytes as Kubernetes prints
// them.
[[nodiscard]] std::optional<ScalarProblem> conform_scalar(schema::Type type, boost::json::value& in,
                                                          boost::json::value& out);

// Returns true if Go treats a value made by conform_scalar like an absent one.
[[nodiscard]] bool is_zero_scalar(schema::Type type, const boost::json::value& value);

// The Go type in messages: int32, string, []uint8.
[[nodiscard]] std::string_view go_type(schema::Type type);

// The JSON type in messages: string, number, bool, array, object.
[[nodiscard]] std::string_view json_type(const boost::json::value& value);

}  // namespace ebb::apiserver
