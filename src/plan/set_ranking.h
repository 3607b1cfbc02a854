// The ranks of the pods of a ReplicaSet in a plan: the published ones, or those of a tried policy
// as if they were published.
#pragma once  // private to its room

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/timestamp.h"
#include "control/scaledown/rank_advice.h"
#include "model/records/snapshot.h"
#include "plan/tried_policy.h"
#include "ranking/rank_group.h"

namespace ebb::plan {

struct SetRanking {
  control::RankAdvice advice{};
  // The strategies of the effective policy, and the ranks of each pod by each, before thresholds
  // and weights; empty if no policy ranks.
  std::vector<ranking::Weighed> strategies{};
  std::vector<ranking::Ranks> by_strategy{};
  std::vector<std::string> warnings{};
};

struct RankedSet {
  const model::Snapshot& snapshot;
  const model::ReplicaSet& set;
  std::span<const model::Pod* const> pods;  // the active ones
  std::size_t surplus = 0;
  bool all_go = false;
  bool rolling = false;
  const TriedPolicy* tried = nullptr;  // if it targets this ReplicaSet
  model::FeatureGates gates;
};

[[nodiscard]] SetRanking rank_set(const RankedSet& question);

}  // namespace ebb::plan
