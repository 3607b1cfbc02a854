// A PATCH request's body applied to a document.
#pragma once

#include <string>
#include <vector>

#include "apiserver/call.h"

namespace ebb::apiserver {

// The document after the patch, not yet checked against its schema. `shape` is what a
// strategic merge patch goes by; nullptr where the kind knows none.
[[nodiscard]] model::StatusOr<ParsedJson> apply_patch_body(const Call& call,
                                                           const schema::Shape* shape,
                                                           const boost::json::object& document);

// A patched document made to follow its schema. What is wrong with it is the patch's fault,
// which Kubernetes tells with a 422 about `patch`.
[[nodiscard]] model::StatusOr<Decoded> conform_patched(const Call& call, const schema::Kind& kind,
                                                       ParsedJson patched,
                                                       const WriteOptions& options);

}  // namespace ebb::apiserver
