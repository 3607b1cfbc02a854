// Determines which ranks count for a scale-down: a second, simple implementation to compare with
// the controllers' own (control/scaledown/rank_advice.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/timestamp.h"
#include "control/cache/store.h"
#include "model/records/feature_gates.h"

namespace ebb::sim {

struct RankReading {
  bool silent = true;                 // there are no ranks, and no policy asks for any
  std::vector<std::int32_t> ranks{};  // parallel to the pods; empty: the default order decides
  std::string carrier{};  // of what counts, including deletion costs; empty: nothing counts
  bool foreign_costs_count = true;  // deletion costs that other programs wrote
  bool own_costs_count = true;  // deletion costs that the ranker wrote: either all of them or none
  bool rollout = false;         // ranks do not count, because another ReplicaSet has pods
  bool recompute = false;       // ranks count only for the pods they were computed for
  Nanoseconds wait_ns = 0;      // how long to wait for ranks if none count
};

// Reads the ranks for these active pods of a ReplicaSet.
[[nodiscard]] RankReading read_ranks(const control::ReplicaSet& set,
                                     const std::vector<const control::Pod*>& pods,
                                     const control::Store& store, const model::FeatureGates& gates);

}  // namespace ebb::sim
