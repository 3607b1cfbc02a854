// I5, in runs where only pickers and rankers fail: a ReplicaSet with surplus pods, whose controller
// waits for nothing else, gets a decision within its picker's time budget plus the wait for its
// ranks, and at once if it has neither, whatever the pickers and ranks of other ReplicaSets do.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "control/cache/store.h"
#include "sim/core/timeline.h"
#include "sim/rules/invariants.h"
#include "sim/rules/picker_rules.h"

namespace ebb::sim {

class LatencyRule {
 public:
  LatencyRule(const Timeline& time, Invariants& invariants, const PickerRules& pickers)
      : time_(time), invariants_(invariants), pickers_(pickers) {}

  // Only runs without other faults are measured.
  void begin() { measures_ = true; }
  // The process is running, and this is its view after a step.
  void check(const PickerRules::View& view);

 private:
  struct Wait {
    Timestamp since{};
    std::size_t going = 0;      // pods with a delete that was sent
    Nanoseconds for_ranks = 0;  // the longest wait for ranks
  };
  void inspect(const PickerRules::View& view, const control::ReplicaSet& set);

  const Timeline& time_;
  Invariants& invariants_;
  const PickerRules& pickers_;
  bool measures_ = false;
  std::map<std::pair<Invariants::ProcessId, std::string>, Wait> waits_;
};

}  // namespace ebb::sim
