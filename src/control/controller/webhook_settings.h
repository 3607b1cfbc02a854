// The settings of `ebb webhook`: how long it may hold a call, and which deletes its fence checks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/timestamp.h"
#include "control/controller/lease_settings.h"

namespace ebb::control {

struct WebhookSettings {
  // The longest time between a review and its answer. The timeoutSeconds of the registered webhook
  // must be longer.
  Nanoseconds budget_ns = 2 * kNanosecondsPerSecond;
  // How long after a decision was first seen the fence may refuse deletes of other pods.
  Nanoseconds fence_window_ns = 5 * kNanosecondsPerSecond;
  // The accounts of the stock controllers. The fence checks only their deletes.
  std::vector<std::string> controller_users = {
      "system:serviceaccount:kube-system:replicaset-controller",
      "system:serviceaccount:kube-system:deployment-controller", "system:kube-controller-manager"};
  // Only the holder puts deletion costs back. Nothing: this process always does.
  std::optional<LeaseSettings> cleanup_lease;
  // The name of the ValidatingWebhookConfiguration; empty: not managed.
  std::string configuration;
};

}  // namespace ebb::control
