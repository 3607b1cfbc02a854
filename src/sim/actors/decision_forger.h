// A tenant that creates DownscaleDecisions of its own, many at a time, to crowd out those of
// others.
#pragma once

#include <cstdint>

#include "sim/core/random.h"
#include "sim/world/world.h"

namespace ebb::sim {

class DecisionForger {
 public:
  DecisionForger(World& world, std::uint64_t seed) : world_(world), random_(seed) {}

  // Schedules actions at random intervals from now on.
  void act();
  void rest() { resting_ = true; }

 private:
  void forge();

  World& world_;
  Random random_;
  bool resting_ = false;
  int number_ = 0;
};

}  // namespace ebb::sim
