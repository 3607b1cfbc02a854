// A program that manages deletion costs without looking who wrote them, as Karpenter does: every
// few seconds it goes over the pods of a workload, and changes or removes their costs.
#pragma once

#include <cstdint>

#include "sim/core/random.h"
#include "sim/world/world.h"

namespace ebb::sim {

class CostManager {
 public:
  CostManager(World& world, std::uint64_t seed) : world_(world), random_(seed) {}

  // Schedules rounds from now on.
  void act();
  void rest() { resting_ = true; }

 private:
  void go_over_pods();

  World& world_;
  Random random_;
  bool resting_ = false;
};

}  // namespace ebb::sim
