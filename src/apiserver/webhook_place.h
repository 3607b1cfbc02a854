// Where a webhook is reached.
#pragma once

#include <string>

#include "apiserver/store.h"
#include "apiserver/webhooks.h"

namespace ebb::apiserver {

struct WebhookPlace {
  std::string url{};
  std::string address{};  // what to connect to in place of the URL's host; empty: that host
  std::string problem{};  // why it cannot be reached
};
[[nodiscard]] WebhookPlace place_of(const Webhook& webhook, const Store& store);

}  // namespace ebb::apiserver
