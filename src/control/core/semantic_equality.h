// Whether two documents are equal once Kubernetes has decoded them (its Semantic.DeepEqual).
//
// For lists and maps, null, absent and empty are equal; absent and zero are equal where the API
// does not distinguish them, according to the schema; quantities are compared by amount, times by
// instant. Everything else, including fields that the schema does not know, is compared literally.
#pragma once

#include <cstdint>
#include <string_view>

#include <boost/json/object.hpp>

#include "schema/core/object_schema.h"

namespace ebb::control {

// `left_out` names one member that may differ.
[[nodiscard]] bool semantically_equal(const schema::ObjectSchema& schema,
                                      const boost::json::object& a, const boost::json::object& b,
                                      std::string_view left_out = {});

// Equal for equal objects. Valid in this process only.
[[nodiscard]] std::uint64_t semantic_hash(const schema::ObjectSchema& schema,
                                          const boost::json::object& object,
                                          std::string_view left_out = {});

}  // namespace ebb::control
