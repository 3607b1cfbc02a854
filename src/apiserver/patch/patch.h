// The three types of patches, each a pure function of a document and a patch.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "model/api/status.h"
#include "schema/core/object_schema.h"

namespace ebb::apiserver {

// RFC 6902, at most 10,000 operations. A failed `test` is a 422, a malformed patch a 400.
[[nodiscard]] model::StatusOr<boost::json::value> json_patch(boost::json::value document,
                                                             const boost::json::value& patch);

// RFC 7386.
[[nodiscard]] boost::json::value merge_patch(boost::json::value document,
                                             const boost::json::value& patch);

// Kubernetes' strategic merge patch, with the directives $patch (replace, merge, delete),
// $deleteFromPrimitiveList/FIELD, $setElementOrder/FIELD and $retainKeys.
[[nodiscard]] model::StatusOr<boost::json::object> strategic_merge_patch(
    const schema::ObjectSchema& schema, boost::json::object document,
    const boost::json::object& patch);

}  // namespace ebb::apiserver
