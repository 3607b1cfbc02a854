// Requests and answers as lines of a trace.
#pragma once

#include <string>
#include <string_view>

#include "control/call.h"
#include "model/api.h"

namespace ebb::sim {

[[nodiscard]] std::string_view verb(model::Method method);
[[nodiscard]] std::string describe(const model::ApiRequest& request);
[[nodiscard]] std::string describe(const model::ApiRequest& request,
                                   const model::ApiResponse& response);
[[nodiscard]] std::string describe(const control::Answer& answer);

}  // namespace ebb::sim
