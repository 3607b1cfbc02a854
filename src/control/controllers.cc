#include "control/controllers.h"

#include "control/deployment_controller.h"
#include "control/policy_controller.h"
#include "control/ranker.h"
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
  const bool ranks = settings.ranker && settings.gates.on(model::Gate::kPodCostRanking);
  if (ranks) controllers.push_back(make_ranker(context, reports));
  // A policy may have a picker, ranks, or both; its status is written by whoever acts on it.
  const bool decides =
      settings.replica_sets && (settings.gates.on(model::Gate::kDownscalePodPicker) ||
                                settings.gates.on(model::Gate::kPodCostRanking));
  if (decides || ranks) {
    controllers.push_back(
        make_policy_controller(context, reports, {.decides = decides, .ranks = ranks}));
  }
  return controllers;
}

}  // namespace ebb::control
