#include "sim/wording.h"

#include <fmt/format.h>

namespace ebb::sim {

std::string_view verb(model::Method method) {
  switch (method) {
    case model::Method::kGet:
      return "GET";
    case model::Method::kPost:
      return "POST";
    case model::Method::kPut:
      return "PUT";
    case model::Method::kPatch:
      return "PATCH";
    case model::Method::kDelete:
      break;
  }
  return "DELETE";
}

std::string describe(const model::ApiRequest& request) {
  return fmt::format("{} {}{}{}", verb(request.method), request.path,
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
