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
  // For each carrier that ranks some pods but not all that matter, a sentence.
  std::vector<std::string> incomplete;
};

// Ranks come from one carrier and are never mixed: a PodGroupCost of the ReplicaSet
// (or of its Deployment), else `status.cost`, else the annotation; the first that
// ranks every pod which rules 1 to 3 leave over. Other pods without a rank have 0.
[[nodiscard]] PublishedRanks find_published_ranks(const model::ReplicaSet& set,
                                                  std::span<const model::Pod* const> pods,
                                                  std::span<const model::PodGroupCost> costs);

}  // namespace ebb::ranking
