// Faults of whole controller processes: crashes, pauses, clock jumps, and restarts.
#pragma once

#include <cstdint>
#include <map>

#include "sim/core/faults.h"
#include "sim/core/random.h"
#include "sim/world/world.h"

namespace ebb::sim {

class ProcessFaults {
 public:
  ProcessFaults(World& world, const FaultProfile& profile, std::uint64_t seed);

  // Starts all processes and begins to inject faults.
  void begin();
  // Stops injecting faults. Processes that end are still restarted.
  void rest();

 private:
  void start_soon(ProcessSlot& slot);
  void disturb(ProcessSlot& slot);
  // Returns whether the ranker in this slot can take no further fault now.
  bool disturb_ranker(ProcessSlot& slot);
  void disturb_later(ProcessSlot& slot);
  [[nodiscard]] bool meet(Fault fault);
  [[nodiscard]] Nanoseconds up_to(Nanoseconds most);

  World& world_;
  FaultProfile profile_;
  Random random_;
  std::map<const ProcessSlot*, Timestamp> dead_until_;
  bool resting_ = false;
};

}  // namespace ebb::sim
