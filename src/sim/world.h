// The simulated world: an API server, nodes, and controller processes on virtual time. Everything
// in it follows from a seed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "control/process.h"
#include "sim/api.h"
#include "sim/faults.h"
#include "sim/invariants.h"
#include "sim/inventory.h"
#include "sim/machines.h"
#include "sim/picker_rules.h"
#include "sim/pickers.h"
#include "sim/punctuality.h"
#include "sim/rank_rules.h"
#include "sim/seat.h"
#include "sim/timeline.h"
#include "sim/trace.h"
#include "sim/truth.h"
#include "sim/witness.h"

namespace ebb::sim {

struct WorldSettings {
  std::uint64_t seed = 1;
  // How far watches can go back.
  Nanoseconds history_ns = 300 * kSecond;
  bool refuses_streaming_lists = false;
  bool changing_gates = false;
  bool ranked = false;  // one of its processes ranks pods
  Trace::Print print{};
};

class World {
 public:
  explicit World(const WorldSettings& settings);

  Seat& add_seat(const control::ProcessSettings& settings);

  // Until then, or until something is violated.
  void run_for(Nanoseconds duration);
  [[nodiscard]] bool violated() const { return invariants.violation().has_value(); }

  // I4: empty if every workload has as many pods as it wants and says so, otherwise what is
  // amiss.
  [[nodiscard]] std::string unsettled() const;

  // A request of somebody to whom nothing happens on the way.
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
  Punctuality punctuality;
  Witness witness;
  Machines machines;
  FaultProfile profile;
  FaultCounts met;
  Pickers pickers;
  std::vector<std::unique_ptr<Seat>> seats;

 private:
  [[nodiscard]] std::string unsettled_set(const SetTruth& set) const;
  [[nodiscard]] std::string unsettled_deployment(const DeploymentTruth& deployment) const;
  [[nodiscard]] std::string unsettled_picker(const SetTruth& set) const;
  [[nodiscard]] std::string unsettled_policy(const PolicyTruth& policy) const;
  [[nodiscard]] bool target_exists(const PolicyTruth& policy) const;
};

}  // namespace ebb::sim
