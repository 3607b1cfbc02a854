// Parses the body of a request in any supported format.
#pragma once

#include <string_view>

#include "apiserver/decode/decode.h"
#include "model/api/api.h"
#include "model/api/status.h"
#include "schema/core/kind.h"

namespace ebb::apiserver {

// Parses JSON, or protobuf for kinds that support it (custom kinds do not). Any other format is a
// 415, a malformed body a 400. From protobuf, `kind` and `apiVersion` are those of the envelope, so
// that conform() can refuse a wrong one.
[[nodiscard]] model::StatusOr<ParsedJson> parse_body(const model::ApiRequest& request,
                                                     const schema::Kind& kind);

// Parses the first document of a YAML text. JSON is YAML too, and is what kubectl and client-go
// send to apply.
[[nodiscard]] model::StatusOr<ParsedJson> parse_yaml(std::string_view text);

}  // namespace ebb::apiserver
