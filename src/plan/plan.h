// What a scale-down would do, worked out on a snapshot. Changes nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/timestamp.h"
#include "control/claim.h"
#include "control/split.h"
#include "model/feature_gates.h"
#include "model/snapshot.h"
#include "order/candidate.h"
#include "picker/answer.h"
#include "plan/set_ranking.h"
#include "plan/tried_policy.h"

namespace ebb::plan {

struct Request {
  enum class Kind { kReplicaSet, kDeployment };

  Kind kind = Kind::kReplicaSet;
  std::string name_space;
  std::string name;
  std::int32_t replicas = 0;
  Timestamp now;
  model::FeatureGates gates;
  std::optional<picker::Answer> answer;
  std::optional<TriedPolicy> policy;  // as if it were applied, and its ranks published
};

struct Entry {
  order::Candidate candidate;
  std::string_view decided_by;  // empty, with `because`, if nothing goes
  std::string because;
  ranking::Ranks by_strategy;  // parallel to the strategies of the plan
};

// The plan for one ReplicaSet. Positions go on from `remove` to `keep`.
struct SetPlan {
  const model::ReplicaSet* set = nullptr;
  std::size_t active = 0;
  std::int32_t desired = 0;
  order::Setting setting;
  SetRanking ranking;
  std::vector<model::Pod> as_if;  // the pods as a policy that is tried would make them
  std::vector<Entry> remove;
  std::vector<Entry> keep;
  std::vector<control::Claim::Ignored> ignored;
  std::vector<std::string> warnings;
};

struct Plan {
  const model::Deployment* deployment = nullptr;  // if that was asked for
  control::Split split;                           // of the Deployment
  std::vector<SetPlan> sets;
  std::vector<std::string> warnings;  // about all of it
};

// Controllers remove at most this many pods at a time.
inline constexpr std::size_t kBurst = 500;

// The plan refers to the snapshot, which must outlive it.
[[nodiscard]] Result<Plan> make_plan(const model::Snapshot& snapshot, const Request& request);

}  // namespace ebb::plan
