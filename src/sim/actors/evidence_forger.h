// A tenant that writes what only controllers write: pods with a controller reference, the status of
// ReplicaSets, and objects that look like canaries. It may delay each controller by a bounded time,
// but never stop one.
#pragma once

#include <cstdint>
#include <string>

#include "sim/core/random.h"
#include "sim/world/world.h"

namespace ebb::sim {

class EvidenceForger {
 public:
  EvidenceForger(World& world, std::uint64_t seed) : world_(world), random_(seed) {}

  // Schedules forged writes at random intervals from now on.
  void act();
  void rest() { resting_ = true; }

 private:
  void forge();
  void forge_pod(const SetTruth& set);
  void forge_status(const SetTruth& set);
  void forge_canary();

  World& world_;
  Random random_;
  bool resting_ = false;
  int canaries_ = 0;
};

}  // namespace ebb::sim
