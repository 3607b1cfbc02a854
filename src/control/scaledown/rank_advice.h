// The influence of ranks on a scale-down: whether they can be used, whether better ones are worth
// waiting for, and how many pods may go at once. Ranks never change how many pods go in the end,
// only which and when.
//
// Pods that rules 1 to 3 of the removal order put first need no ranks. They go together without
// waiting, even if ranks are recomputed after each removal and the other pods go one by one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/timestamp.h"
#include "control/cache/store.h"
#include "control/core/rank_outcome.h"
#include "control/core/work_budget.h"
#include "control/policy/ranking_choice.h"
#include "model/records/feature_gates.h"
#include "model/records/pod.h"
#include "model/records/policy.h"
#include "model/records/workload.h"
#include "ranking/published_ranks.h"

namespace ebb::control {

struct RankQuestion {
  const model::ReplicaSet& set;
  std::span<const model::Pod* const> active;            // the pods that it claims
  std::size_t surplus = 0;                              // how many of them may go now
  bool all_go = false;                                  // no pod remains in the end
  std::span<const model::PodGroupCost* const> costs{};  // those of other owners do not count
  const ranking::PublishedRanks* as_if = nullptr;  // used instead of what is actually published
  // The ranking of the policy that counts; nothing: it has none.
  std::optional<RankingChoice> choice{};
  bool rolling = false;  // another ReplicaSet of the same owner has pods
  // True: an empty choice means that no policy asks for ranks. False: it is unknown.
  bool policies_known = false;
  bool ignores_deletion_costs = false;  // spec.deletionCost of the policy that counts is Ignore
  model::FeatureGates gates;
};

struct RankAdvice {
  // Nothing: there are no ranks, and no policy asks for any.
  std::optional<RankOutcome> outcome{};
  std::vector<std::int32_t> ranks{};  // parallel to the pods; empty: the default order decides
  std::string policy{};               // the policy that asks for ranks, or empty
  std::string carrier{};              // the carrier of the ranks that count, or empty
  // One sentence for each carrier that cannot be used, or for an invalid setting.
  std::vector<std::string> problems{};
  bool recompute = false;  // ranks are recomputed after each removal
  // Whether deletion costs written by the ranker count: they do if they are the carrier that
  // counts, and if it is unknown which one does. Incomplete or leftover costs would give an order
  // that is neither the ranked one nor the default one.
  bool own_costs_count = true;
  // Whether deletion costs written by other programs count.
  bool foreign_costs_count = true;

  // `at_once` pods may go now. If better ranks are worth waiting for, then until `worth_wait_ns`
  // has passed only `needing_none` may go: the pods that need no ranks.
  std::size_t at_once = 0;
  Nanoseconds worth_wait_ns = 0;
  std::size_t needing_none = 0;
};

[[nodiscard]] RankAdvice advise_on_ranks(const RankQuestion& question);

// Uses the contents of the store. `surplus` of the active pods may go now. Spends what it costs.
[[nodiscard]] RankAdvice advise_on_ranks(const ReplicaSet& set,
                                         std::span<const model::Pod* const> active,
                                         std::size_t surplus, const Store& store,
                                         model::FeatureGates gates, WorkBudget& budget);

}  // namespace ebb::control
