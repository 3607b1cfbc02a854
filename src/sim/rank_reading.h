// Which ranks count for a scale-down: worked out a second time, and simply, so that it can be
// compared with what controllers make of the same store (control/rank_advice.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/timestamp.h"
#include "control/store.h"
#include "model/feature_gates.h"

namespace ebb::sim {

struct RankReading {
  bool silent = true;                 // there are no ranks, and nobody asks for any
  std::vector<std::int32_t> ranks{};  // parallel to the pods; empty: the default order decides
  std::string carrier{};        // of what counts, deletion costs included; empty: nothing does
  bool own_costs_count = true;  // deletion costs that the ranker wrote: either all of them or none
  bool rollout = false;         // they do not count, because another ReplicaSet has pods
  bool recompute = false;       // they count for the very pods they were worked out for
  Nanoseconds wait_ns = 0;      // so long they are worth waiting for, where they do not count
};

// For these active pods of a ReplicaSet.
[[nodiscard]] RankReading read_ranks(const control::ReplicaSet& set,
                                     const std::vector<const control::Pod*>& pods,
                                     const control::Store& store, const model::FeatureGates& gates);

}  // namespace ebb::sim
