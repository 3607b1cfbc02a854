// The three kinds of patches. Each is a pure function of a document and a patch.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "model/status.h"
#include "schema/shape.h"

namespace ebb::apiserver {

// RFC 6902. At most 10,000 operations. A `test` that fails is a 422; a malformed patch a 400.
[[nodiscard]] model::StatusOr<boost::json::value> json_patch(boost::json::value document,
                                                             const boost::json::value& patch);

// RFC 7386.
[[nodiscard]] boost::json::value merge_patch(boost::json::value document,
                                             const boost::json::value& patch);

// Kubernetes' strategic merge patch, with the directives $patch (replace, merge, delete),
// $deleteFromPrimitiveList/FIELD, $setElementOrder/FIELD and $retainKeys.
[[nodiscard]] model::StatusOr<boost::json::object> strategic_merge_patch(
    const schema::Shape& shape, boost::json::object document, const boost::json::object& patch);

}  // namespace ebb::apiserver
