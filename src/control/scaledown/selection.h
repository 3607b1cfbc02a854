// Combines everything that influences which pods of a ReplicaSet go first. The controller and `ebb
// plan` share this code, so that a plan shows what would happen.
#pragma once

#include <cstdint>
#include <span>

#include "base/timestamp.h"
#include "model/records/feature_gates.h"
#include "model/records/pod.h"
#include "model/records/verdict.h"
#include "model/records/workload.h"
#include "order/lineup.h"
#include "order/related.h"

namespace ebb::control {

struct SelectionQuestion {
  const model::ReplicaSet& set;
  std::span<const model::Pod* const> candidates;
  const order::NodeCounts& co_located;
  Timestamp now;
  model::FeatureGates gates;
  // One per candidate (rank_advice.h); empty: ranks do not count.
  std::span<const std::int32_t> ranks{};
  // The picker's verdict on each candidate; empty: it was not called, or named none.
  std::span<const model::Verdict> verdicts{};
  // Whether deletion costs written by the ranker count (rank_advice.h).
  bool own_costs_count = true;
  // Whether deletion costs of other writers count (spec.deletionCost of the policy).
  bool foreign_costs_count = true;
};

// The lineup contains all candidates; the caller orders as many as it needs.
[[nodiscard]] order::Lineup line_up_candidates(const SelectionQuestion& question);

}  // namespace ebb::control
