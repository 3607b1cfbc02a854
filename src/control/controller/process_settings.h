// The settings of a controller process: the lease, limits, and the safeguards that tests can switch
// off.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/timestamp.h"
#include "control/controller/controller.h"
#include "control/controller/lease_settings.h"
#include "control/controller/registration_settings.h"
#include "control/controller/webhook_settings.h"
#include "control/core/sole_controller.h"
#include "model/records/feature_gates.h"

namespace ebb::control {

// Checks that a test can switch off, to prove that they are needed. Always on except in src/sim's
// mutation check.
struct Safeguards {
  bool expectations = true;
  bool uid_precondition = true;
  bool stale_cache_protection = true;
  bool repeats_unknown_deletes = true;
  bool rechecks_after_answers = true;
  bool limits_writes_on_server = true;
  bool awaits_newer_ranks = true;        // when each removal invalidates all ranks
  bool awaits_predecessor = true;        // ProcessSettings::start_wait_ns
  bool owners_by_full_reference = true;  // not by their uid alone
  bool holds_unread_sets = true;         // ReplicaSets with a pod that could not be decoded
  // The guard against a second controller.
  bool sole_controller = true;           // the guard is applied at all
  bool arms_canary_again = true;         // after an acknowledgement, and by each new leader
  bool polls_canary = true;              // and does not rely on a watch
  bool lists_before_taking_over = true;  // and does not rely on what the watches have shown
  bool awaits_stopped_manager = true;    // SoleControllerOptions::restart_wait_ns
  bool pauses_suspected_sets = true;     // ReplicaSets that another controller seems to write
  // The webhook.
  bool fences_deletes = true;           // of pods that were not chosen
  bool lists_unknown_decisions = true;  // before a delete passes for want of a decision
  bool undercuts_costs = true;          // of earlier decisions
  bool puts_costs_back = true;
};

// How many DownscaleDecision objects are kept.
struct DecisionLimits {
  std::size_t per_workload = 10;
  std::size_t per_cluster = 2'000;
};

struct ProcessSettings {
  bool replica_sets = true;
  bool deployments = true;
  bool ranker = false;
  // Compares the scale-downs of other controllers with ebb's choices. The ReplicaSet controller
  // does so in any case for policies in shadow mode.
  bool shadow = false;
  // Nothing: decisions are not written as objects.
  std::optional<DecisionLimits> decision_objects;
  std::optional<LeaseSettings> lease;  // nothing: no leader election
  // The process answers admission reviews. It then has neither a lease nor a guard, and runs
  // neither the ReplicaSet nor the Deployment controller: every replica answers.
  std::optional<WebhookSettings> webhook;
  // With `webhook`: keeps its registration up to date. Nothing: something else registers it.
  std::optional<RegistrationSettings> registration;
  // Without a lease: how long to wait after the start before listing. A predecessor's last writes
  // are in flight for up to kWriteDeadlineNs, and a list must not miss them. 0: no other process
  // can have run.
  Nanoseconds start_wait_ns = 0;
  // Nothing: the controllers act without checking for another controller
  // (--assume-sole-controller).
  std::optional<SoleControllerOptions> sole_controller;
  model::FeatureGates gates;
  // Client limits; qps 0: unlimited.
  double qps = 20;
  int burst = 30;
  // At most as many as can be sent at once: calls that waited behind this limit would rest on a
  // decision made too early.
  std::size_t max_in_flight = 64;
  // Read and create pods in protobuf, or in JSON if the server does not support it.
  bool protobuf = true;
  std::uint64_t seed = 1;  // for jitter
  Safeguards safeguards;
  PickerLimits pickers;
};

}  // namespace ebb::control
