// A failure as the response that carries it.
#pragma once

#include "model/api.h"
#include "model/status.h"

namespace ebb::cluster {

[[nodiscard]] model::ApiResponse status_response(const model::Status& status);

// What whoever comes too late is told.
[[nodiscard]] model::ApiResponse stopping_response();

}  // namespace ebb::cluster
