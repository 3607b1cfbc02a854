// What ranks have to say about a scale-down: whether they can be used, whether better ones are
// worth waiting for, and how many pods may go at once. Ranks never change how many pods go in the
// end, only the order and the time.
//
// Pods that rules 1 to 3 of the removal order send first need no ranks. They go without waiting,
// together, also where ranks are worked out anew after each removal and the others go one by one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/timestamp.h"
#include "control/rank_outcome.h"
#include "control/ranking_choice.h"
#include "control/store.h"
#include "model/feature_gates.h"
#include "model/pod.h"
#include "model/policy.h"
#include "model/workload.h"
#include "ranking/published_ranks.h"

namespace ebb::control {

struct RankQuestion {
  const model::ReplicaSet& set;
  std::span<const model::Pod* const> active;            // the pods that it claims
  std::size_t surplus = 0;                              // so many of them may go now
  bool all_go = false;                                  // in the end none stays
  std::span<const model::PodGroupCost* const> costs{};  // those of others do not count
  const ranking::PublishedRanks* as_if = nullptr;       // instead of what is really published
  // How the policy that counts wants pods to be ranked; nothing: it does not.
  std::optional<RankingChoice> choice{};
  bool rolling = false;  // another ReplicaSet of the Deployment has pods
  // No choice means that no policy asks for ranks, and not that nobody knows.
  bool policies_known = false;
  model::FeatureGates gates;
};

struct RankAdvice {
  // Nothing: there are no ranks, and nobody asks for any.
  std::optional<RankOutcome> outcome{};
  std::vector<std::int32_t> ranks{};  // parallel to the pods; empty: the default order decides
  std::string policy{};               // that asks for ranks, or empty
  std::string carrier{};              // of the ranks that count, or empty
  // A sentence for each carrier that cannot be used, or what is wrong with the settings.
  std::vector<std::string> problems{};
  bool recompute = false;  // ranks are worked out anew after each removal
  // Deletion costs that the ranker wrote count: where they are the carrier that counts, and where
  // nobody knows better. On some of the pods, or left over, they would be an order that is neither
  // the ranked one nor the default one.
  bool own_costs_count = true;

  std::size_t at_once = 0;        // so many may go now ...
  Nanoseconds worth_wait_ns = 0;  // ... unless better ranks have not been waited for so long;
  std::size_t needing_none = 0;   // then so many may go now: those that need no ranks
};

[[nodiscard]] RankAdvice advise_on_ranks(const RankQuestion& question);

// With what the store knows. `surplus` of the active pods may go now.
[[nodiscard]] RankAdvice advise_on_ranks(const ReplicaSet& set,
                                         std::span<const model::Pod* const> active,
                                         std::size_t surplus, const Store& store,
                                         model::FeatureGates gates);

}  // namespace ebb::control
