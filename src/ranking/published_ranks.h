// The ranks that a cost-ranking component published for the pods of a ReplicaSet.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/records/pod.h"
#include "model/records/policy.h"
#include "model/records/workload.h"

namespace ebb::ranking {

// How many PodGroupCosts of one ReplicaSet are read. A ranker writes one; a tenant can write
// thousands, and a scale-down must not take longer for that.
inline constexpr std::size_t kMaxGroupCosts = 16;

struct PublishedRanks {
  // Parallel to the pods; empty if there are no usable ranks.
  std::vector<std::int32_t> of_pods;
  std::string carrier;  // the source: `PodGroupCost costs`, `status.cost`, ...
  // One sentence for each carrier that has ranks but cannot be used.
  std::vector<std::string> incomplete;
  // A carrier is out of date: computed for other pods, or not finished.
  bool stale = false;
  // One of their PodGroupCosts, usable or not, says that ranks must be recomputed after each
  // removal.
  bool recompute = false;
};

struct PublishedQuestion {
  const model::ReplicaSet& set;
  std::span<const model::Pod* const> pods;  // the active ones
  // Those of other workloads are ignored.
  std::span<const model::PodGroupCost* const> costs;
  // Accept only ranks that are recomputed after each removal.
  bool must_recompute = false;
};

// Ranks come from one carrier and are never mixed: a PodGroupCost of the ReplicaSet (or of its
// Deployment, by name, at most kMaxGroupCosts in all), else `status.cost`, else the annotation. The
// first carrier that ranks every pod to
// which rules 1 to 3 do not apply is used; other pods without a rank have 0. Ranks that must be
// recomputed after each removal are valid only for the exact pods they were computed for, and only
// with a status of their generation.
[[nodiscard]] PublishedRanks find_published_ranks(const PublishedQuestion& question);

}  // namespace ebb::ranking
