// The simulated world: an API server, nodes, and controller processes on virtual time, all
// determined by a seed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "control/process/process.h"
#include "sim/core/api.h"
#include "sim/core/faults.h"
#include "sim/core/timeline.h"
#include "sim/core/trace.h"
#include "sim/core/truth.h"
#include "sim/link/components.h"
#include "sim/pickers/pickers.h"
#include "sim/rules/decision_rules.h"
#include "sim/rules/evidence_rule.h"
#include "sim/rules/guard_rules.h"
#include "sim/rules/invariants.h"
#include "sim/rules/inventory.h"
#include "sim/rules/latency_rule.h"
#include "sim/rules/picker_rules.h"
#include "sim/rules/rank_rules.h"
#include "sim/rules/shadow_rules.h"
#include "sim/rules/webhook_rules.h"
#include "sim/world/process_slot.h"
#include "sim/world/rival.h"
#include "sim/world/telemetry_probe.h"
#include "sim/world/webhook_replica.h"

namespace ebb::sim {

struct WorldSettings {
  std::uint64_t seed = 1;
  // How far back watches can start.
  Nanoseconds history_ns = 300 * kSecond;
  bool refuses_streaming_lists = false;
  bool changing_gates = false;
  bool ranked = false;  // one of its processes ranks pods
  // The processes in its slots play the stock controllers, beside replicas of `ebb webhook`. Their
  // view of pods lags by up to this time.
  bool webhook = false;
  Nanoseconds pod_lag_ns = 0;
  Trace::Print print{};
};

class World {
 public:
  explicit World(const WorldSettings& settings);

  ProcessSlot& add_slot(const control::ProcessSettings& settings);
  void add_rival(const RivalSettings& settings);
  void add_webhook_replica(const WebhookReplicaSettings& settings);

  // Runs for this time, or until an invariant is violated.
  void run_for(Nanoseconds duration);
  [[nodiscard]] bool violated() const { return invariants.violation().has_value(); }

  // I4: empty if every workload has as many pods as it wants and its status says so; otherwise what
  // is wrong.
  [[nodiscard]] std::string unsettled() const;

  // A request without faults.
  model::ApiResponse request(std::string_view who, const model::ApiRequest& request);

  WorldSettings settings;
  Timeline time;
  Trace trace;
  Api api;
  Truth truth;
  Inventory inventory;
  Invariants invariants;
  PickerRules picker_rules;
  RankRules rank_rules;
  DecisionRules decision_rules;
  ShadowRules shadow_rules;
  WebhookRules webhook_rules;
  GuardRules guard_rules;
  EvidenceRule evidence_rule;
  LatencyRule latency_rule;
  TelemetryProbe probe;
  WebhookProbe webhook_probe;
  Components components;
  FaultProfile profile;
  FaultCounts met;
  Pickers pickers;
  std::vector<std::unique_ptr<ProcessSlot>> slots;
  std::unique_ptr<Rival> rival;          // in some worlds
  std::unique_ptr<Admission> admission;  // in worlds with webhooks
  std::vector<std::unique_ptr<WebhookReplica>> webhook_replicas;

 private:
  [[nodiscard]] bool is_canary(std::string_view namespace_name, std::string_view name) const;
  [[nodiscard]] LinkContext link_context();
  [[nodiscard]] std::string unsettled_set(const SetTruth& set) const;
  [[nodiscard]] std::string unsettled_deployment(const DeploymentTruth& deployment) const;
  [[nodiscard]] std::string unsettled_picker(const SetTruth& set) const;
  [[nodiscard]] std::string unsettled_policy(const PolicyTruth& policy) const;
  [[nodiscard]] bool target_exists(const PolicyTruth& policy) const;
};

}  // namespace ebb::sim
