#include "sim/link/wording.h"

#include <optional>

#include <fmt/format.h>

#include "model/api/method_name.h"
#include "sim/pickers/pickers.h"

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

std::string describe(const picker::Call& call) {
  const std::optional<ReceivedRequest> request = read_request(call);
  if (!request) return "invalid request";
  return fmt::format("{} of {}, within {} ms", request->requested,
                     fmt::join(request->candidates, " "), call.deadline_ns / kMillisecond);
}

std::string describe(const picker::Reply& reply) {
  std::string text(to_string(reply.outcome));
  if (reply.code != 0) text += fmt::format(" {}", reply.code);
  if (!reply.answer.chosen.empty()) {
    text += fmt::format(", chosen {}", fmt::join(reply.answer.chosen, " "));
  }
  if (!reply.answer.tied.empty()) {
    text += fmt::format(", tied {}", fmt::join(reply.answer.tied, " "));
  }
  return text;
}

}  // namespace ebb::sim
