// The compact node record: the fields that topology, pickers and ranks read.
#pragma once

#include <cstdint>
#include <vector>

#include "model/records/placement.h"
#include "model/records/pool.h"

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
