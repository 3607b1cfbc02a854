// The AdmissionReview that a webhook is sent.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "apiserver/admission.h"
#include "apiserver/webhooks.h"

namespace ebb::apiserver {

[[nodiscard]] Operation operation_of(const Call& call, const Admission& admission);

// Everything in a request of a review that follows its uid. The object is JSON; nothing: it is
// deleted.
[[nodiscard]] std::string review_request(const Call& call, const Admission& admission,
                                         std::optional<std::string_view> object);

// The question, with a uid that is the same in every run of the call.
struct Inquiry {
  WebhookQuestion question{};
  std::string uid{};
};
[[nodiscard]] Inquiry make_inquiry(const Call& call, const Webhook& webhook, std::string url,
                                   std::string address, std::string_view request);

}  // namespace ebb::apiserver
