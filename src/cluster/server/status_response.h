// Converts a failure to a response.
#pragma once  // private to its room

#include "model/api/api.h"
#include "model/api/status.h"

namespace ebb::cluster {

[[nodiscard]] model::ApiResponse status_response(const model::Status& status);

// The response to requests that arrive during shutdown.
[[nodiscard]] model::ApiResponse stopping_response();

}  // namespace ebb::cluster
