#include "sim/wording.h"

#include <fmt/format.h>

#include "model/method_name.h"

namespace ebb::sim {

std::string describe(const model::ApiRequest& request) {
  return fmt::format("{} {}{}{}", model::method_name(request.method), request.path,
                     request.query.empty() ? "" : "?", request.query);
}

std::string describe(const model::ApiRequest& request, const model::ApiResponse& response) {
  return fmt::format("{} -> {}", describe(request), response.code);
}

std::string describe(const control::Answer& answer) {
  using Outcome = control::Answer::Outcome;
  switch (answer.outcome) {
    case Outcome::kAnswered:
      return fmt::format("{}", answer.response.code);
    case Outcome::kUnknown:
      return "unknown";
    case Outcome::kNotSent:
      return "not sent";
    case Outcome::kEnded:
      break;
  }
  return "ended";
}

}  // namespace ebb::sim
