#include "control/controllers.h"

#include "control/deployment_controller.h"
#include "control/policy_controller.h"
#include "control/replica_set_controller.h"

namespace ebb::control {

std::vector<std::unique_ptr<Controller>> make_controllers(const ProcessSettings& settings,
                                                          const ControllerContext& context) {
  std::vector<std::unique_ptr<Controller>> controllers;
  const auto reports = std::make_shared<PolicyReports>();
  if (settings.replica_sets) {
    controllers.push_back(make_replica_set_controller(context, settings.safeguards, reports));
  }
  if (settings.deployments) controllers.push_back(make_deployment_controller(context));
  if (settings.replica_sets && settings.gates.on(model::Gate::kDownscalePodPicker)) {
    controllers.push_back(make_policy_controller(context, reports));
  }
  return controllers;
}

}  // namespace ebb::control
