// The content of the ValidatingWebhookConfiguration: which requests the API server sends to the
// webhook, and how an existing object is brought up to date.
//
// Every field that the API server would default is written, so that an object that was read can be
// compared with it member by member.
#pragma once  // private to its room

#include <optional>
#include <set>
#include <string>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "control/controller/registration_settings.h"
#include "control/controller/webhook_settings.h"

namespace ebb::control {

// Names of the two webhooks.
inline constexpr std::string_view kScaleDownWebhook = "scale-down.webhook.ebb.dev";
inline constexpr std::string_view kFenceWebhook = "fence.webhook.ebb.dev";

// The API server waits this much longer than the budget, for the connection and the answer.
inline constexpr Nanoseconds kScaleDownTimeoutMarginNs = kNanosecondsPerSecond;
// The fence answers at once, or after one list of at most 300 ms.
inline constexpr std::int64_t kFenceTimeoutSeconds = 2;

struct WantedWebhooks {
  const RegistrationSettings& registration;
  const WebhookSettings& webhook;
  const std::set<std::string>& namespaces;  // those with policies
  const std::string& ca_bundle_pem;
  bool match_conditions = true;  // the API server supports them
};

// The webhooks to register; empty if no namespace needs them.
[[nodiscard]] boost::json::array make_webhooks(const WantedWebhooks& wanted);

// A new object with these webhooks.
[[nodiscard]] boost::json::object make_configuration(const std::string& name,
                                                     boost::json::array webhooks);

// `existing` with these webhooks; nothing if it has them already. Match expressions and labels that
// others added to a namespaceSelector are kept: AKS excludes its own namespaces that way.
[[nodiscard]] std::optional<boost::json::object> with_webhooks(boost::json::object existing,
                                                               boost::json::array webhooks);

}  // namespace ebb::control
