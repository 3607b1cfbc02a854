#include "plan/set_ranking.h"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include "plan/plan.h"
#include "support/objects/pods.h"

namespace ebb::plan {
namespace {

using control::RankOutcome;
using ebb::testing::ago;
using ebb::testing::kHour;
using ebb::testing::kNow;
using ebb::testing::World;
using Names = std::vector<std::string_view>;
using Texts = std::vector<std::string>;

constexpr std::string_view kOldest = R"({"strategies":[{"name":"Oldest"}]})";

std::shared_ptr<const ranking::Settings> settings(std::string_view text) {
  auto decoded = ranking::decode_settings(boost::json::parse(text), "spec.ranking");
  EXPECT_TRUE(decoded.has_value()) << (decoded ? "" : decoded.error().message);
  return std::make_shared<const ranking::Settings>(std::move(*decoded));
}

class SetRankingTest : public ::testing::Test {
 protected:
  SetRankingTest() {
    world_.snapshot.replica_sets.push_back(world_.replica_set("web", 3));
    int age = 1;
    for (const char* name : {"a", "b", "c"}) {
      model::Pod pod = world_.pod(name);
      pod.created = pod.ready_since = ago(age * 10 * kHour);
      age *= 2;
      world_.snapshot.pods.push_back(pod);
    }
  }

  void try_policy(std::string_view ranking, std::string_view kind = "ReplicaSet") {
    request_.policy = TriedPolicy{.name = "tried",
                                  .target_group = "apps",
                                  .target_kind = std::string(kind),
                                  .target_name = "web",
                                  .ranking = settings(ranking)};
  }
  void add_policy(std::string_view name, std::string_view kind, std::string_view ranking) {
    model::DownscalePolicy policy;
    policy.name = world_.intern(name);
    policy.namespace_name = world_.intern("default");
    policy.target_group = world_.intern("apps");
    policy.target_kind = world_.intern(kind);
    policy.target_name = world_.intern("web");
    policy.has_ranking = true;
    policy.ranking = world_.intern(ranking);
    world_.snapshot.policies.push_back(policy);
  }

  Result<Plan> make(std::int32_t replicas = 2) {
    request_.namespace_name = "default";
    request_.name = "web";
    request_.replicas = replicas;
    request_.now = kNow;
    return make_plan(world_.snapshot, request_);
  }
  SetPlan plan(std::int32_t replicas = 2) {
    auto plan = make(replicas);
    EXPECT_TRUE(plan.has_value()) << (plan ? "" : plan.error().message);
    return std::move(plan->sets.front());
  }
  static Names names(const std::vector<Entry>& entries) {
    Names names;
    for (const Entry& entry : entries) names.push_back(entry.candidate.pod->name.view());
    return names;
  }

  World world_;
  Request request_;
};

TEST_F(SetRankingTest, APolicyIsTriedAsIfItsRanksWerePublished) {
  EXPECT_EQ(names(plan().remove), Names{"a"});  // the youngest
  try_policy(kOldest);
  const SetPlan plan = this->plan();
  EXPECT_EQ(names(plan.remove), Names{"c"});
  EXPECT_EQ(plan.remove[0].reason.rule, "CostRank");
  EXPECT_EQ(plan.remove[0].by_strategy, ranking::Ranks{plan.remove[0].candidate.cost_rank});
  EXPECT_EQ(plan.ranking.advice.outcome, RankOutcome::kRanked);
  EXPECT_TRUE(plan.warnings.empty());
}

TEST_F(SetRankingTest, WhatAnOlderPolicyHasPublishedOnPodsIsGone) {
  model::Pod& published = world_.snapshot.pods[1];
  published.deletion_cost = -9;
  published.deletion_cost_set = published.deletion_cost_valid = true;
  published.numbers = world_.labels({{model::kPublishedCostAnnotation, "-9"}});
  EXPECT_EQ(names(plan().remove), Names{"b"});
  try_policy(kOldest);
  EXPECT_EQ(names(plan().remove), Names{"c"});
}

TEST_F(SetRankingTest, CostsThatWouldBePublishedAreComparedWithThoseOfOthers) {
  model::Pod& foreign = world_.snapshot.pods[1];
  foreign.deletion_cost = -2;
  foreign.deletion_cost_set = foreign.deletion_cost_valid = true;
  try_policy(R"({"strategies":[{"name":"Oldest"}],"publish":"PodDeletionCost"})");
  const SetPlan plan = this->plan(0);
  // The oldest has -3, the youngest -1.
  EXPECT_EQ(names(plan.remove), (Names{"c", "b", "a"}));
  EXPECT_EQ(plan.remove[0].candidate.pod->deletion_cost, -3);
  EXPECT_EQ(plan.remove[1].candidate.pod->deletion_cost, -2);
  EXPECT_EQ(plan.ranking.advice.outcome, RankOutcome::kRanked);
}

TEST_F(SetRankingTest, APolicyForSomethingElseIsNotTried) {
  try_policy(kOldest, "Deployment");
  const auto plan = make();
  ASSERT_FALSE(plan.has_value());
  EXPECT_EQ(
      plan.error().message,
      "--policy: DownscalePolicy tried is for Deployment default/web, which is not the target of "
      "this plan");
}

TEST_F(SetRankingTest, APolicyForAnyKindOfOwnerAppliesByItsGroup) {
  world_.snapshot.replica_sets.front().controller =
      world_.owner("Rollout", "web", "rollout-uid", "argoproj.io");
  add_policy("there", "Rollout", kOldest);
  world_.snapshot.policies.back().target_group = world_.intern("argoproj.io");
  EXPECT_EQ(plan().warnings, Texts{"DownscalePolicy there asks for ranks, but there are none"});
  world_.snapshot.policies.back().target_group = world_.intern("example.com");
  EXPECT_TRUE(plan().warnings.empty());

  try_policy(kOldest, "Rollout");
  request_.policy->target_group = "argoproj.io";
  EXPECT_EQ(names(plan().remove), Names{"c"});
  EXPECT_EQ(make()->warnings,
            Texts{"Rollout web manages this ReplicaSet and would undo a change of its size"});
  request_.policy->target_group = "example.com";
  const auto plan = make();
  ASSERT_FALSE(plan.has_value());
  EXPECT_EQ(plan.error().message,
            "--policy: DownscalePolicy tried is for Rollout (example.com) default/web, which is "
            "not the target of this plan");
}

TEST_F(SetRankingTest, WarnsThatAnotherPolicyTakesPrecedence) {
  add_policy("there", "ReplicaSet", kOldest);
  try_policy(R"({"strategies":[{"name":"Youngest"}]})");
  EXPECT_EQ(
      plan().warnings,
      Texts{"DownscalePolicy there takes precedence for this ReplicaSet while it exists; this "
            "plan ignores it"});
  request_.policy->name = "there";
  EXPECT_TRUE(plan().warnings.empty());
}

TEST_F(SetRankingTest, WarnsThatControllersWouldWaitForRanks) {
  add_policy("there", "ReplicaSet", R"({"strategies":[{"name":"Oldest"}],"waitSeconds":7})");
  const SetPlan plan = this->plan();
  EXPECT_EQ(names(plan.remove), Names{"a"});
  EXPECT_EQ(plan.warnings,
            (Texts{"DownscalePolicy there asks for ranks, but there are none",
                   "controllers wait up to 7 s for better ranks before they use the order of "
                   "this plan"}));
  // The ranks of its strategies are known anyway.
  ASSERT_EQ(plan.ranking.strategies.size(), 1U);
  EXPECT_EQ(plan.keep.back().by_strategy.size(), 1U);
}

TEST_F(SetRankingTest, RanksThatAreRecomputedAreWorkedOutToTheEnd) {
  try_policy(R"({"strategies":[{"name":"AntiAffinity"}]})");
  const SetPlan plan = this->plan(1);
  EXPECT_TRUE(plan.ranking.advice.recompute);
  EXPECT_EQ(plan.ranking.advice.at_once, 1U);
  EXPECT_EQ(plan.remove.size(), 2U);
  EXPECT_EQ(plan.warnings.back(),
            "ranks are recomputed after each removal, so pods go one at a time");
}

TEST_F(SetRankingTest, WarnsThatNodesAreMissing) {
  try_policy(R"({"strategies":[{"name":"TopologySpread"}]})");
  EXPECT_EQ(plan().warnings, Texts{"strategy TopologySpread needs nodes, but the input has none"});
}

TEST_F(SetRankingTest, DuringARolloutRanksAreNotUsedUnlessThePolicySaysSo) {
  world_.snapshot.replica_sets.push_back(world_.replica_set("new", 3));
  for (model::ReplicaSet& set : world_.snapshot.replica_sets) {
    set.controller = world_.owner("Deployment", "web", "deployment-uid");
  }
  try_policy(kOldest, "Deployment");
  EXPECT_EQ(plan().ranking.advice.outcome, RankOutcome::kRollout);
  // The uid says that the owner is the same, even if a reference names an old group.
  world_.snapshot.replica_sets.back().controller =
      world_.owner("Deployment", "web", "deployment-uid", "extensions");
  EXPECT_EQ(plan().ranking.advice.outcome, RankOutcome::kRollout);
  EXPECT_EQ(names(plan().remove), Names{"a"});
  try_policy(R"({"strategies":[{"name":"Oldest"}],"duringRollouts":true})", "Deployment");
  EXPECT_EQ(names(plan().remove), Names{"c"});
}

TEST_F(SetRankingTest, WithTheGateOffNothingIsTried) {
  try_policy(kOldest);
  request_.gates.set(model::Gate::kPodCostRanking, false);
  EXPECT_EQ(plan().warnings, Texts{"the policy is not tried: feature gate PodCostRanking is off"});
  EXPECT_EQ(names(plan().remove), Names{"a"});
}

}  // namespace
}  // namespace ebb::plan
