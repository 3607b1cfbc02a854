// Which pods of a ReplicaSet go first, with everything that counts put together. The controller
// and `ebb plan` both ask here, so that a plan says what will happen.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/timestamp.h"
#include "model/feature_gates.h"
#include "model/pod.h"
#include "model/policy.h"
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
  std::span<const model::PodGroupCost> costs{};
  // The picker's word on each candidate; empty: it was not asked, or said nothing.
  std::span<const model::Verdict> verdicts{};
};

struct Selection {
  order::Lineup lineup;                       // of all candidates; order as many as are needed
  std::string ranked_by;                      // the carrier of the ranks that count, or empty
  std::vector<std::string> incomplete_ranks;  // a sentence for each carrier that does not
};

[[nodiscard]] Selection line_up_candidates(const SelectionQuestion& question);

}  // namespace ebb::control
