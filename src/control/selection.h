// Which pods of a ReplicaSet go first, with everything that counts put together. The controller
// and `ebb plan` both ask here, so that a plan says what will happen.
#pragma once

#include <cstdint>
#include <span>

#include "base/timestamp.h"
#include "model/feature_gates.h"
#include "model/pod.h"
#include "model/verdict.h"
#include "model/workload.h"
#include "order/lineup.h"
#include "order/related.h"

namespace ebb::control {

struct SelectionQuestion {
  const model::ReplicaSet& set;
  std::span<const model::Pod* const> candidates;
  const order::NodeCounts& co_located;
  Timestamp now;
  model::FeatureGates gates;
  // Of each candidate (rank_advice.h); empty: none count.
  std::span<const std::int32_t> ranks{};
  // The picker's word on each candidate; empty: it was not asked, or said nothing.
  std::span<const model::Verdict> verdicts{};
  // Deletion costs that the ranker wrote count (rank_advice.h); those of others always do.
  bool own_costs_count = true;
};

// Of all candidates; order as many as are needed.
[[nodiscard]] order::Lineup line_up_candidates(const SelectionQuestion& question);

}  // namespace ebb::control
