// I5, where nothing but pickers and rankers is at fault: a ReplicaSet with pods too many, whose
// controller has nothing else to wait for, is decided upon within the budget of its picker and the
// time that its ranks are worth waiting for, and at once if it has neither, whatever the pickers
// and ranks of others do.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "control/store.h"
#include "sim/invariants.h"
#include "sim/picker_rules.h"
#include "sim/timeline.h"

namespace ebb::sim {

class Punctuality {
 public:
  Punctuality(const Timeline& time, Invariants& invariants, const PickerRules& pickers)
      : time_(time), invariants_(invariants), pickers_(pickers) {}

  // Only runs in which nothing else goes wrong are measured.
  void begin() { measures_ = true; }
  // The process works, and this is what it sees after a step.
  void look(const PickerRules::View& view);

 private:
  struct Wait {
    Timestamp since{};
    std::size_t going = 0;      // pods that it has sent deletes for
    Nanoseconds for_ranks = 0;  // the most that ranks were worth waiting for
  };
  void look_at(const PickerRules::View& view, const control::ReplicaSet& set);

  const Timeline& time_;
  Invariants& invariants_;
  const PickerRules& pickers_;
  bool measures_ = false;
  std::map<std::pair<Invariants::ProcessId, std::string>, Wait> waits_;
};

}  // namespace ebb::sim
