// Formats requests, picker requests and answers as lines of a trace.
#pragma once

#include <string>

#include "control/core/call.h"
#include "model/api/api.h"
#include "picker/call.h"

namespace ebb::sim {

[[nodiscard]] std::string describe(const model::ApiRequest& request);
[[nodiscard]] std::string describe(const model::ApiRequest& request,
                                   const model::ApiResponse& response);
[[nodiscard]] std::string describe(const control::Answer& answer);
[[nodiscard]] std::string describe(const picker::Call& call);
[[nodiscard]] std::string describe(const picker::Reply& reply);

}  // namespace ebb::sim
