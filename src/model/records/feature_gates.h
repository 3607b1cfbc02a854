// Feature gates: each extension can be switched off by its name.
#pragma once

#include <array>
#include <bitset>
#include <string_view>

#include "base/result.h"

namespace ebb::model {

enum class Gate : std::size_t {
  kDeploymentReplicaSetTerminatingReplicas,
  kDownscalePodPicker,
  kLogarithmicScaleDown,
  kPodCostRanking,
  kPodDeletionCost,
  kPreferForScaleDown,
};

inline constexpr std::array<std::string_view, 6> kGateNames = {
    "DeploymentReplicaSetTerminatingReplicas",
    "DownscalePodPicker",
    "LogarithmicScaleDown",
    "PodCostRanking",
    "PodDeletionCost",
    "PreferForScaleDown",
};

// All gates are on by default; each has no effect until its feature is used.
class FeatureGates {
 public:
  // Reads `PodDeletionCost=false,LogarithmicScaleDown=true`. An unknown gate is an
  // error that lists the known ones.
  [[nodiscard]] static Result<FeatureGates> parse(std::string_view settings);

  [[nodiscard]] bool on(Gate gate) const { return on_[static_cast<std::size_t>(gate)]; }
  void set(Gate gate, bool on) { on_[static_cast<std::size_t>(gate)] = on; }

 private:
  std::bitset<kGateNames.size()> on_ = std::bitset<kGateNames.size()>().set();
};

}  // namespace ebb::model
