// What whoever runs a cluster is told about its webhooks: a line when one begins to fail or to be
// slow, and when it works again. One that fails with every request is not news.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "apiserver/consultation.h"

namespace ebb::cluster {

class WebhookNews {
 public:
  // A request has had its last run.
  [[nodiscard]] std::vector<std::string> hear(const apiserver::Consultation& consultation);

 private:
  enum class State : std::uint8_t { kWell, kSlow, kFailing };
  using Key = std::pair<std::string, std::string>;  // configuration and webhook

  std::map<Key, State> states_;  // of those that are not well
};

}  // namespace ebb::cluster
