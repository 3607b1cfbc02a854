// What ranks say about the pods of a ReplicaSet in a plan: those that are published, or those of a
// policy that is tried, as if they were.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/timestamp.h"
#include "control/rank_advice.h"
#include "model/snapshot.h"
#include "plan/tried_policy.h"
#include "ranking/rank_group.h"

namespace ebb::plan {

struct SetRanking {
  control::RankAdvice advice{};
  // What the policy that counts weighs, and what each of them says about each pod, before
  // thresholds and weights; empty if no policy ranks.
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
  const TriedPolicy* tried = nullptr;  // if it is for this ReplicaSet
  model::FeatureGates gates;
};

[[nodiscard]] SetRanking rank_set(const RankedSet& question);

}  // namespace ebb::plan
