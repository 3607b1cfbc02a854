// Single values in the form in which Kubernetes keeps them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <boost/json/value.hpp>

#include "schema/shape.h"

namespace ebb::apiserver {

struct ScalarProblem {
  // Set where the JSON type is wrong: what Kubernetes calls the right one.
  std::string expected_type{};
  // Otherwise what is wrong with the value.
  std::string text{};
};

// Moves `in`, which is not null, into `out` in its canonical form: times in UTC with the
// precision that is kept, numbers without a needless fraction, quantities and bytes as
// Kubernetes would print them.
[[nodiscard]] std::optional<ScalarProblem> conform_scalar(schema::Type type, boost::json::value& in,
                                                          boost::json::value& out);

// What null stands for in a list or map, where it cannot mean absent.
[[nodiscard]] boost::json::value zero_of(schema::Type type);

// Whether a value that conform_scalar made equals an absent one in Go.
[[nodiscard]] bool is_zero_scalar(schema::Type type, const boost::json::value& value);

// The type's name in messages: int32, string, []uint8.
[[nodiscard]] std::string_view go_type(schema::Type type);

// What a value is, in messages about types: string, number, bool, array, object.
[[nodiscard]] std::string_view json_type(const boost::json::value& value);

}  // namespace ebb::apiserver
