// The compact node record: what topology, pickers and ranks read of a node.
#pragma once

#include <cstdint>
#include <vector>

#include "model/placement.h"
#include "model/pool.h"

namespace ebb::model {

struct Node {
  Interned name;
  Interned uid;
  std::uint64_t revision_seen = 0;
  const LabelSet* labels = nullptr;
  std::vector<Taint> taints{};
  bool unschedulable = false;  // cordoned
  bool ready = false;          // its Ready condition is True
};

}  // namespace ebb::model
