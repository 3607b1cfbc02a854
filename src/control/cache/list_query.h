// The paths and formats in which controllers list their resources. The queries are in
// model/api/list_query.h.
#pragma once  // private to its room

#include <string>
#include <string_view>

#include "control/cache/store.h"

namespace ebb::control {

// "/api/v1/pods": across all namespaces.
[[nodiscard]] std::string list_path(Resource resource);
// The Accept header of a list or a watch; the answer may still be in another format.
[[nodiscard]] std::string_view list_accept(Resource resource, bool protobuf, bool watches);

}  // namespace ebb::control
