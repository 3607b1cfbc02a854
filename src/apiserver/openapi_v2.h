// OpenAPI v2, in JSON and as a protobuf message: the structures of v3 in its words.
//
// There are no paths in it: who wants to know of operations reads v3. kubectl reads v2 for one
// purpose: to check a file of kind List, about which the server says nothing in v3, before it sends
// what is in it. It reads it in the form of a protobuf message only.
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

// The document itself.
[[nodiscard]] boost::json::object openapi_v2_document();
// The same as a message Document of gnostic's OpenAPIv2.proto.
[[nodiscard]] std::string openapi_v2_message(const boost::json::object& document);

}  // namespace ebb::apiserver
