#include "control/controllers.h"

#include "control/deployment_controller.h"
#include "control/replica_set_controller.h"

namespace ebb::control {

std::vector<std::unique_ptr<Controller>> make_controllers(const ProcessSettings& settings,
                                                          const ControllerContext& context) {
  std::vector<std::unique_ptr<Controller>> controllers;
  if (settings.replica_sets) {
    controllers.push_back(make_replica_set_controller(context, settings.safeguards));
  }
  if (settings.deployments) controllers.push_back(make_deployment_controller(context));
  return controllers;
}

}  // namespace ebb::control
