// OpenAPI v3, generated from the schema: kubectl learns from it how lists are merged, that
// the server validates fields, and what to print for `explain`.
#pragma once

#include <string_view>

#include <boost/json/object.hpp>

#include "apiserver/api_groups.h"

namespace ebb::apiserver {

// The document at /openapi/v3/apis/GROUP/VERSION.
[[nodiscard]] boost::json::object openapi_document(const ApiGroup& group, std::string_view version);

}  // namespace ebb::apiserver
