// The OpenAPI v2 document. It says nothing: v3 has what clients need.
//
// kubectl reads it for one purpose: to look, before it sends a file of kind List, whether it
// knows better than the server what is in it. It takes "no schema" for an answer, and sends
// the items with the field validation that was asked for; no document at all it takes for an
// error. It reads it in the form of a protobuf message only.
#pragma once

#include <string_view>

namespace ebb::apiserver {

struct OpenApiV2 {
  std::string_view content_type;
  std::string_view body;
};

[[nodiscard]] OpenApiV2 openapi_v2(std::string_view accept);

}  // namespace ebb::apiserver
