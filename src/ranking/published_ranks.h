// The ranks that a cost-ranking component published for the pods of a ReplicaSet.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/pod.h"
#include "model/policy.h"
#include "model/workload.h"

namespace ebb::ranking {

struct PublishedRanks {
  // Parallel to the pods; empty if there are no ranks or none that can be used.
  std::vector<std::int32_t> of_pods;
  std::string carrier;  // where they come from: `PodGroupCost costs`, `status.cost`, ...
  // For each carrier that has something to say and cannot be used, a sentence.
  std::vector<std::string> incomplete;
  // One of them is out of date: worked out for other pods, or not finished.
  bool stale = false;
  // A PodGroupCost of theirs, whether it can be used or not, says that ranks have to be worked
  // out anew after each removal.
  bool recompute = false;
};

struct PublishedQuestion {
  const model::ReplicaSet& set;
  std::span<const model::Pod* const> pods;  // the active ones
  // Those of others do not count.
  std::span<const model::PodGroupCost* const> costs;
  // Only ranks that are worked out anew after each removal will do.
  bool must_recompute = false;
};

// Ranks come from one carrier and are never mixed: a PodGroupCost of the ReplicaSet
// (or of its Deployment), else `status.cost`, else the annotation; the first that
// ranks every pod which rules 1 to 3 leave over. Other pods without a rank have 0. Ranks that have
// to be worked out anew after each removal count for the very pods for which they were worked out,
// and only with a status of their generation.
[[nodiscard]] PublishedRanks find_published_ranks(const PublishedQuestion& question);

}  // namespace ebb::ranking
