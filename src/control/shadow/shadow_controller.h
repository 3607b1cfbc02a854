// Shadow mode: compares the scale-downs of another controller with the choices that ebb would have
// made, and changes nothing.
//
// When a ReplicaSet gets smaller, the controller copies its pods, decides as the ReplicaSet
// controller would, and follows which pods really go: until as many went as were surplus, the size
// changes again, or half a minute has passed. Then it records both.
#pragma once

#include <cstdint>
#include <memory>

#include "control/controller/controller.h"
#include "control/decisions/decision_queue.h"
#include "control/policy/policy_reports.h"

namespace ebb::control {

enum class ShadowScope : std::uint8_t {
  kEverything,      // all ReplicaSets; those without a policy are compared by the default order
  kShadowPolicies,  // those whose policy is in shadow mode
};

struct ShadowOutputs {
  std::shared_ptr<PolicyReports> reports;
  std::shared_ptr<DecisionQueue> decisions = {};  // null: not wanted
};

// It writes only events; the policy controller and the decision controller write the rest.
[[nodiscard]] std::unique_ptr<Controller> make_shadow_controller(const ControllerContext& context,
                                                                 ShadowOutputs outputs,
                                                                 ShadowScope scope);

}  // namespace ebb::control
