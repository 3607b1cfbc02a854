// `ebb webhook`: makes the stock controllers remove the pods that ebb chooses.
//
// A validating webhook sees every size that is made smaller, chooses the pods that go, lowers their
// deletion costs, and only then lets the update pass (scale_down_reviews.h). Another one checks the
// deletes that follow (fence.h). All state that must survive is on the pods, so every replica
// serves. Without the webhook everything goes on as on any cluster.
#pragma once

#include <memory>

#include "control/controller/controller.h"
#include "control/controller/process_settings.h"
#include "control/decisions/decision_queue.h"
#include "control/policy/policy_reports.h"

namespace ebb::control {

struct WebhookOutputs {
  std::shared_ptr<PolicyReports> reports = std::make_shared<PolicyReports>();
  std::shared_ptr<DecisionQueue> decisions{};  // null: decisions are not written as objects
};

[[nodiscard]] std::unique_ptr<Controller> make_webhook_controller(const ControllerContext& context,
                                                                  const WebhookSettings& settings,
                                                                  Safeguards safeguards = {},
                                                                  WebhookOutputs outputs = {});

}  // namespace ebb::control
