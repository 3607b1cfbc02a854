#include "control/process/make_controllers.h"

#include <optional>

#include "control/decisions/decision_controller.h"
#include "control/deployment/deployment_controller.h"
#include "control/policy/policy_controller.h"
#include "control/ranker/ranker.h"
#include "control/registration/registration_controller.h"
#include "control/replicaset/replica_set_controller.h"
#include "control/shadow/shadow_controller.h"
#include "control/webhook/webhook_controller.h"

namespace ebb::control {

std::vector<std::unique_ptr<Controller>> make_controllers(const ProcessSettings& settings,
                                                          const ControllerContext& context) {
  std::vector<std::unique_ptr<Controller>> controllers;
  const auto reports = std::make_shared<PolicyReports>();
  const bool chooses = settings.replica_sets || settings.webhook;
  const bool shadows = settings.shadow || settings.replica_sets;
  const bool records = (chooses || shadows) && settings.decision_objects;
  const auto decisions = records ? std::make_shared<DecisionQueue>() : nullptr;
  // Only a process that acts on ReplicaSets needs a guard.
  const auto guarded =
      settings.replica_sets ? std::optional(GuardedKind::kReplicaSets) : std::nullopt;
  if (settings.replica_sets) {
    controllers.push_back(make_replica_set_controller(
        context, settings.safeguards, {.reports = reports, .decisions = decisions}));
  }
  if (settings.webhook) {
    controllers.push_back(make_webhook_controller(context, *settings.webhook, settings.safeguards,
                                                  {.reports = reports, .decisions = decisions}));
  }
  if (settings.deployments) controllers.push_back(make_deployment_controller(context));
  const bool ranks = settings.ranker && settings.gates.on(model::Gate::kPodCostRanking);
  if (ranks) controllers.push_back(make_ranker(context, reports));
  if (shadows) {
    // Beside ebb's own ReplicaSet controller, only policies in shadow mode are compared: others
    // would agree with themselves.
    controllers.push_back(make_shadow_controller(
        context, {.reports = reports, .decisions = decisions},
        settings.replica_sets ? ShadowScope::kShadowPolicies : ShadowScope::kEverything));
  }
  // A policy may have a picker, a ranking, or both; the controller that acts on a part writes its
  // status.
  const bool decides =
      (chooses || shadows) && (settings.gates.on(model::Gate::kDownscalePodPicker) ||
                               settings.gates.on(model::Gate::kPodCostRanking));
  if (decides || ranks) {
    controllers.push_back(make_policy_controller(
        context, reports, {.decides = decides, .ranks = ranks, .acts = chooses}));
  }
  if (records) {
    controllers.push_back(
        make_decision_controller(context, decisions, *settings.decision_objects, guarded));
  }
  if (settings.webhook && settings.registration) {
    controllers.push_back(
        make_registration_controller(context, *settings.registration, *settings.webhook));
  }
  return controllers;
}

}  // namespace ebb::control
