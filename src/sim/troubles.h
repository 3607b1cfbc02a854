// What befalls controller processes as a whole: crashes, pauses, jumping clocks, and restarts.
#pragma once

#include <cstdint>
#include <map>

#include "sim/dice.h"
#include "sim/faults.h"
#include "sim/world.h"

namespace ebb::sim {

class Troubles {
 public:
  Troubles(World& world, const FaultProfile& profile, std::uint64_t seed);

  // Starts all processes, and trouble.
  void begin();
  // No more trouble. Whatever has ended is still started again.
  void rest();

 private:
  void start_soon(Seat& seat, Nanoseconds least);
  void trouble(Seat& seat);
  // Whether the ranker in this seat is in no state for more.
  bool trouble_ranker(Seat& seat);
  void trouble_later(Seat& seat);
  [[nodiscard]] bool meet(Fault fault);
  [[nodiscard]] Nanoseconds up_to(Nanoseconds most);

  World& world_;
  FaultProfile profile_;
  Dice dice_;
  std::map<const Seat*, Timestamp> dead_until_;
  bool resting_ = false;
};

}  // namespace ebb::sim
