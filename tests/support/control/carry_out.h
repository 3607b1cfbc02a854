// Connects controllers to a test's API server: calls in, answers out, at the test's time.
#pragma once

#include "control/core/call.h"
#include "support/apiserver/api_server_scene.h"

namespace ebb::testing {

// Executes the request now.
[[nodiscard]] inline control::Answer carry_out(ApiServerScene& served, model::ApiRequest request) {
  request.received = served.now;
  apiserver::Reply reply = served.server.handle(request, served.now);
  for (const apiserver::Change& change : served.server.take_staged()) {
    served.server.publish(change.revision, served.now);
  }
  return {.outcome = control::Answer::Outcome::kAnswered, .response = std::move(reply.response)};
}

// An answer of which only the code matters.
[[nodiscard]] inline control::Answer answer_of(int code, int retry_after_seconds = 0) {
  control::Answer answer;
  answer.response.code = code;
  answer.response.retry_after_seconds = retry_after_seconds;
  return answer;
}

}  // namespace ebb::testing
