// What the answer of a webhook means, in the words in which Kubernetes tells it to clients.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

#include "apiserver/consultation.h"
#include "model/status.h"

namespace ebb::apiserver {

// What an answer is held against.
struct Expected {
  std::string_view uid{};
  std::string_view version{};  // of the review: v1 or v1beta1
  bool may_patch = false;      // the webhook is a mutating one
};

struct Verdict {
  // Why the webhook has not decided: its failurePolicy does. What follows "failed calling webhook".
  std::string failure{};
  std::optional<model::Status> denial{};
  // A JSON Patch; nothing: the object stays as it is.
  std::optional<boost::json::value> patch{};
  std::vector<std::string> warnings{};
};

// An error is what cannot be helped by any policy: a patch that makes no sense.
[[nodiscard]] model::StatusOr<Verdict> read_answer(const WebhookQuestion& question,
                                                   const WebhookAnswer& answer,
                                                   const Expected& expected);

}  // namespace ebb::apiserver
