// OpenAPI v3, generated from the schema. kubectl uses it to merge lists, to learn that the server
// validates fields, and to print `explain`.
#pragma once  // private to its room

#include <string_view>

#include <boost/json/object.hpp>

#include "apiserver/discovery/api_groups.h"

namespace ebb::apiserver {

// The document at /openapi/v3/apis/GROUP/VERSION.
[[nodiscard]] boost::json::object openapi_document(const ApiGroup& group, std::string_view version);

}  // namespace ebb::apiserver
