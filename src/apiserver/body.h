// The body of a request, in whichever format it came.
#pragma once

#include <string_view>

#include "apiserver/decode.h"
#include "model/api.h"
#include "model/status.h"
#include "schema/kind.h"

namespace ebb::apiserver {

// JSON, or protobuf for kinds that have it: custom ones do not. Anything else is a 415, and what
// makes no sense a 400. From protobuf, `kind` and `apiVersion` are those of the envelope, so that
// conform() can refuse a wrong one.
[[nodiscard]] model::StatusOr<ParsedJson> parse_body(const model::ApiRequest& request,
                                                     const schema::Kind& kind);

// YAML, of which the first document counts. JSON is YAML too, and by far the most of what is
// applied: kubectl and client-go send nothing else.
[[nodiscard]] model::StatusOr<ParsedJson> parse_yaml(std::string_view text);

}  // namespace ebb::apiserver
