// The plan of a scale-down, computed on a snapshot. Changes nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/timestamp.h"
#include "control/core/claim.h"
#include "control/deployment/split.h"
#include "model/records/feature_gates.h"
#include "model/records/snapshot.h"
#include "order/candidate.h"
#include "order/reason.h"
#include "picker/answer.h"
#include "plan/set_ranking.h"
#include "plan/tried_policy.h"

namespace ebb::plan {

struct Request {
  enum class Kind { kReplicaSet, kDeployment };

  Kind kind = Kind::kReplicaSet;
  std::string namespace_name;
  std::string name;
  std::int32_t replicas = 0;
  Timestamp now;
  model::FeatureGates gates;
  std::optional<picker::Answer> answer;
  std::optional<TriedPolicy> policy;  // as if applied, with its ranks published
};

struct Entry {
  order::Candidate candidate;
  order::Reason reason;        // empty if nothing goes
  ranking::Ranks by_strategy;  // parallel to the strategies of the plan
};

// The plan for one ReplicaSet. Positions continue from `remove` to `keep`.
struct SetPlan {
  const model::ReplicaSet* set = nullptr;
  std::size_t active = 0;
  std::int32_t desired = 0;
  order::OrderContext order_context;
  SetRanking ranking;
  std::vector<model::Pod> as_if;  // the pods as the tried policy would make them
  std::vector<Entry> remove;
  std::vector<Entry> keep;
  std::vector<control::Claim::Ignored> ignored;
  // Pods of the set, or possibly of it, that could not be decoded. While there are any, controllers
  // do not scale the set, and nothing is in `remove`.
  std::vector<const model::UndecodedObject*> undecoded;
  std::vector<std::string> warnings;
};

struct Plan {
  const model::Deployment* deployment = nullptr;  // if one was requested
  control::Split split;                           // of the Deployment
  std::vector<SetPlan> sets;
  std::vector<std::string> warnings;  // about the whole plan
};

// Why pods in SetPlan::undecoded are not counted.
inline constexpr const char* kUndecoded = "could not be decoded";

// Controllers remove at most this many pods at a time.
inline constexpr std::size_t kBurst = 500;

// The plan refers to the snapshot, which must outlive it.
[[nodiscard]] Result<Plan> make_plan(const model::Snapshot& snapshot, const Request& request);

}  // namespace ebb::plan
