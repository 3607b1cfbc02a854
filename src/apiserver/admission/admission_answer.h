// Interprets the answer of a webhook, with the messages that Kubernetes returns to clients.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

#include "apiserver/admission/webhook_session.h"
#include "model/api/status.h"

namespace ebb::apiserver {

// The properties that an answer must match.
struct Expected {
  std::string_view uid{};
  std::string_view version{};  // of the review: v1 or v1beta1
  bool may_patch = false;      // the webhook is a mutating one
};

struct Verdict {
  // Set if the webhook did not decide, so that its failurePolicy applies: the text that follows
  // "failed calling webhook".
  std::string failure{};
  std::optional<model::Status> denial{};
  // A JSON Patch; nothing if the object stays unchanged.
  std::optional<boost::json::value> patch{};
  std::vector<std::string> warnings{};
};

// Returns an error if no failurePolicy can help: the patch is invalid.
[[nodiscard]] model::StatusOr<Verdict> read_answer(const WebhookQuestion& question,
                                                   const WebhookAnswer& answer,
                                                   const Expected& expected);

}  // namespace ebb::apiserver
