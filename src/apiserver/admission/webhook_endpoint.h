// Resolves the address of a webhook.
#pragma once

#include <string>

#include "apiserver/admission/webhooks.h"
#include "apiserver/store/store.h"

namespace ebb::apiserver {

struct WebhookEndpoint {
  std::string url{};
  std::string address{};  // connect here instead of to the URL's host; empty: that host
  std::string problem{};  // why it cannot be reached
};
[[nodiscard]] WebhookEndpoint endpoint_of(const Webhook& webhook, const Store& store);

}  // namespace ebb::apiserver
