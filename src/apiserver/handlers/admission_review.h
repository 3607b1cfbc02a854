// The AdmissionReview that is sent to a webhook.
#pragma once  // private to its room

#include <optional>
#include <string>
#include <string_view>

#include "apiserver/admission/webhooks.h"
#include "apiserver/handlers/admission.h"

namespace ebb::apiserver {

[[nodiscard]] Operation operation_of(const Call& call, const Admission& admission);

// Returns the part of the review's request that follows its uid. `object` is JSON; nothing for a
// deletion.
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
