// OpenAPI v2, in JSON and as a protobuf message: the schemas of v3 in v2's format.
//
// The document has no paths; clients read v3 for operations. kubectl reads v2 for one purpose: to
// check a file of kind List, which v3 does not describe, before it sends the contents. It reads
// only the protobuf form.
#pragma once

#include <string>
#include <string_view>

#include <boost/json/object.hpp>

namespace ebb::apiserver {

struct OpenApiV2 {
  std::string_view content_type;
  std::string_view body;
};

[[nodiscard]] OpenApiV2 openapi_v2(std::string_view accept);

// The JSON document.
[[nodiscard]] boost::json::object openapi_v2_document();
// The document as gnostic's protobuf message openapi.v2.Document.
[[nodiscard]] std::string openapi_v2_message(const boost::json::object& document);

}  // namespace ebb::apiserver
