// Requests and answers as lines of a trace.
#pragma once

#include <string>

#include "control/call.h"
#include "model/api.h"

namespace ebb::sim {

[[nodiscard]] std::string describe(const model::ApiRequest& request);
[[nodiscard]] std::string describe(const model::ApiRequest& request,
                                   const model::ApiResponse& response);
[[nodiscard]] std::string describe(const control::Answer& answer);

}  // namespace ebb::sim
