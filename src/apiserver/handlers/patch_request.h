// Applies the body of a PATCH request to a document.
#pragma once  // private to its room

#include <string>
#include <vector>

#include "apiserver/request/call.h"

namespace ebb::apiserver {

// Returns the patched document, not yet checked against its schema. `schema` is for strategic merge
// patches; nullptr if the kind does not support them.
[[nodiscard]] model::StatusOr<ParsedJson> apply_patch_body(const Call& call,
                                                           const schema::ObjectSchema* schema,
                                                           const boost::json::object& document);

// Makes a patched document follow its schema. Errors are blamed on the patch: a 422 about `patch`,
// as in Kubernetes.
[[nodiscard]] model::StatusOr<Decoded> conform_patched(const Call& call, const schema::Kind& kind,
                                                       ParsedJson patched,
                                                       const WriteOptions& options);

}  // namespace ebb::apiserver
