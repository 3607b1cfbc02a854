// Whether two documents mean the same, as Kubernetes sees it once it has decoded them (its
// Semantic.DeepEqual).
//
// Null, absent and empty are one for lists and maps; absent and zero are one where the API does
// not tell them apart, which the schema knows; quantities count by amount, times by instant.
// Everything else, and all that the schema does not know, is compared as it stands.
#pragma once

#include <string_view>

#include <boost/json/object.hpp>

#include "schema/shape.h"

namespace ebb::control {

// `left_out` names one member that may differ.
[[nodiscard]] bool semantically_equal(const schema::Shape& shape, const boost::json::object& a,
                                      const boost::json::object& b, std::string_view left_out = {});

}  // namespace ebb::control
