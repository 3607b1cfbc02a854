// Log lines about admission webhooks, for the operator: one when a webhook starts to fail or to be
// slow, and one when it works again. Repeated failures are not logged.
#pragma once  // private to its room

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "apiserver/admission/webhook_session.h"

namespace ebb::cluster {

class WebhookStatusLog {
 public:
  // Call after the last run of a request.
  [[nodiscard]] std::vector<std::string> observe(const apiserver::WebhookSession& session);

 private:
  enum class State : std::uint8_t { kWell, kSlow, kFailing };
  using Key = std::pair<std::string, std::string>;  // configuration and webhook

  std::map<Key, State> states_;  // webhooks that fail or are slow
};

}  // namespace ebb::cluster
