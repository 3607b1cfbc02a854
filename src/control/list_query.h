// Where the resources of the controllers are listed, and in which format. The queries are in
// model/list_query.h.
#pragma once

#include <string>
#include <string_view>

#include "control/store.h"

namespace ebb::control {

// "/api/v1/pods": those of all namespaces.
[[nodiscard]] std::string list_path(Resource resource);
// What to accept; what comes may still be the other.
[[nodiscard]] std::string_view list_accept(bool protobuf);

}  // namespace ebb::control
