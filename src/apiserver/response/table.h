// meta.k8s.io/v1 Table: what `kubectl get` prints, computed by the server.
#pragma once  // private to its room

#include <boost/json/object.hpp>

#include "base/timestamp.h"
#include "schema/core/kind.h"

namespace ebb::apiserver {

enum class IncludeObject { kNone, kMetadata, kObject };

// The columnDefinitions of a kind.
[[nodiscard]] boost::json::array table_columns(const schema::Kind& kind);
// One row: cells, and the object or its metadata as PartialObjectMetadata.
[[nodiscard]] boost::json::object table_row(const schema::Kind& kind,
                                            const boost::json::object& object,
                                            IncludeObject include, Timestamp now);
// PartialObjectMetadata of an object.
[[nodiscard]] boost::json::object partial_metadata(const boost::json::object& object);

}  // namespace ebb::apiserver
