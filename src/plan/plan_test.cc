#include "plan/plan.h"

#include <gtest/gtest.h>

#include "support/objects/pods.h"

namespace ebb::plan {
namespace {

using model::Gate;
using model::Pod;

using ebb::testing::ago;
using ebb::testing::kHour;
using ebb::testing::kNow;
using ebb::testing::World;

class PlanTest : public ::testing::Test {
 protected:
  PlanTest() { world_.snapshot.replica_sets.push_back(world_.replica_set("web", 3)); }

  Pod& add_pod(std::string_view name) {
    world_.snapshot.pods.push_back(world_.pod(name));
    return world_.snapshot.pods.back();
  }

  SetPlan plan(std::int32_t replicas) {
    request_.namespace_name = "default";
    request_.name = "web";
    request_.replicas = replicas;
    request_.now = kNow;
    auto plan = make_plan(world_.snapshot, request_);
    EXPECT_TRUE(plan.has_value()) << plan.error().message;
    return std::move(plan->sets.front());
  }

  static std::vector<std::string_view> names(const std::vector<Entry>& entries) {
    std::vector<std::string_view> names;
    for (const Entry& entry : entries) names.push_back(entry.candidate.pod->name.view());
    return names;
  }
  using Names = std::vector<std::string_view>;
  using Texts = std::vector<std::string>;

  World world_;
  Request request_;
};

TEST_F(PlanTest, DividesPodsIntoThoseThatGoAndThoseThatStay) {
  add_pod("a");
  add_pod("b").deletion_cost = -1;
  add_pod("c").deletion_cost = 1;
  const SetPlan plan = this->plan(1);
  EXPECT_EQ(plan.active, 3U);
  EXPECT_EQ(names(plan.remove), (Names{"b", "a"}));
  EXPECT_EQ(names(plan.keep), Names{"c"});
  EXPECT_EQ(plan.remove.front().reason.rule, "DeletionCost");
  EXPECT_EQ(plan.remove.front().reason.because,
            "deletion cost -1 is lower than 1 of c, the first pod kept");
  EXPECT_EQ(plan.keep.front().reason.because,
            "deletion cost 1 is higher than 0 of a, the last pod removed");
  EXPECT_TRUE(plan.warnings.empty());
}

TEST_F(PlanTest, CountsOnlyActivePodsAndNamesTheOthers) {
  add_pod("active");
  add_pod("terminating").deleting = true;
  add_pod("done").phase = model::Phase::kSucceeded;
  add_pod("dead").phase = model::Phase::kFailed;
  add_pod("renamed").labels = world_.labels({{"app", "other"}});
  const SetPlan plan = this->plan(0);
  EXPECT_EQ(names(plan.remove), Names{"active"});
  Texts ignored;
  for (const auto& [pod, because] : plan.ignored) {
    ignored.push_back(std::string(pod->name.view()) + ": " + std::string(because));
  }
  EXPECT_EQ(ignored,
            (Texts{"dead: failed", "done: succeeded",
                   "renamed: labels no longer match the selector", "terminating: terminating"}));
}

TEST_F(PlanTest, PodsOfOthersAreNeverInThePlan) {
  add_pod("own");
  add_pod("foreign").controller = world_.owner("ReplicaSet", "web", "another-uid");
  add_pod("elsewhere").namespace_name = world_.intern("shop");
  const SetPlan plan = this->plan(0);
  EXPECT_EQ(names(plan.remove), Names{"own"});
  EXPECT_TRUE(plan.ignored.empty());
}

TEST_F(PlanTest, OrphansThatWillBeAdoptedCountWithAWarning) {
  add_pod("own");
  add_pod("orphan").controller = nullptr;
  const SetPlan plan = this->plan(2);
  EXPECT_EQ(plan.active, 2U);
  EXPECT_EQ(plan.warnings,
            Texts{"pods without an owner are counted, because they match the selector and "
                  "will be adopted: orphan"});
}

TEST_F(PlanTest, MoreThanABurstIsOneListWithAWarning) {
  for (int i = 0; i < 1205; ++i) add_pod("pod-" + std::to_string(i));
  const SetPlan plan = this->plan(5);
  EXPECT_EQ(plan.remove.size(), 1200U);
  EXPECT_EQ(plan.warnings, Texts{"controllers remove at most 500 pods at a time, so this takes 3 "
                                 "rounds, and each round makes its own decision"});
}

TEST_F(PlanTest, AReplicaSetThatIsBeingDeletedIsNotScaled) {
  add_pod("a");
  world_.snapshot.replica_sets.front().deleting = true;
  const SetPlan plan = this->plan(0);
  EXPECT_TRUE(plan.remove.empty());
  EXPECT_EQ(plan.warnings,
            Texts{"the ReplicaSet is being deleted, so controllers do not scale it"});
}

TEST_F(PlanTest, AnInvalidDeletionCostCountsAsZeroWithAWarning) {
  Pod& odd = add_pod("odd");
  odd.deletion_cost_set = true;
  add_pod("cheap").deletion_cost = -1;
  SetPlan plan = this->plan(1);
  EXPECT_EQ(names(plan.remove), Names{"cheap"});
  EXPECT_EQ(plan.warnings, Texts{"annotation controller.kubernetes.io/pod-deletion-cost is not a "
                                 "32-bit integer and counts as 0: odd"});
  request_.gates.set(Gate::kPodDeletionCost, false);
  plan = this->plan(1);
  EXPECT_TRUE(plan.warnings.empty());
}

TEST_F(PlanTest, ALabelInTheTemplateMarksNoPod) {
  add_pod("b").prefer_for_scale_down = true;
  add_pod("a");
  EXPECT_EQ(names(plan(1).remove), Names{"b"});
  world_.snapshot.replica_sets.front().template_labels =
      world_.labels({{"app", "web"}, {"kubernetes.io/prefer-for-scale-down", ""}});
  EXPECT_EQ(names(plan(1).remove), Names{"a"});
}

TEST_F(PlanTest, CompleteRanksDecideAndIncompleteOnesCauseAWarning) {
  add_pod("a").annotated_rank = 1;
  add_pod("b").annotated_rank = 2;
  EXPECT_EQ(names(plan(1).remove), Names{"b"});
  add_pod("c");
  const SetPlan plan = this->plan(2);
  EXPECT_EQ(names(plan.remove), Names{"a"});
  EXPECT_EQ(plan.warnings,
            Texts{"annotation scheduling.alpha.kubernetes.io/cost does not rank 1 of "
                  "the Ready pods, so it is not used"});
}

TEST_F(PlanTest, WithTheRankingGateOffRanksAreNotRead) {
  add_pod("a").annotated_rank = 1;
  add_pod("b").annotated_rank = 2;
  request_.gates.set(Gate::kPodCostRanking, false);
  EXPECT_EQ(names(plan(1).remove), Names{"a"});
}

TEST_F(PlanTest, WarnsThatAPlanDoesNotCallAConfiguredPicker) {
  const Texts told{
      "a picker is configured, but a plan does not call it; try an answer with "
      "--picker-answer"};
  add_pod("a");
  add_pod("b");
  world_.snapshot.replica_sets.front().has_picker = true;
  EXPECT_EQ(plan(1).warnings, told);
  EXPECT_TRUE(plan(0).warnings.empty());  // all go, so it would not be asked
  world_.snapshot.replica_sets.front().has_picker = false;
  model::DownscalePolicy policy;
  policy.namespace_name = world_.intern("default");
  policy.target_group = world_.intern("apps");
  policy.target_kind = world_.intern("ReplicaSet");
  policy.target_name = world_.intern("web");
  policy.has_picker = true;
  world_.snapshot.policies.push_back(policy);
  EXPECT_EQ(plan(1).warnings, told);
  world_.snapshot.policies.front().target_name = world_.intern("other");
  EXPECT_TRUE(plan(1).warnings.empty());
}

TEST_F(PlanTest, ThePickersAnswerCountsUnlessItsGateIsOff) {
  add_pod("a");
  add_pod("b");
  request_.answer = picker::Answer{{"b"}, {}, {}};
  EXPECT_EQ(names(plan(1).remove), Names{"b"});
  request_.gates.set(Gate::kDownscalePodPicker, false);
  const SetPlan plan = this->plan(1);
  EXPECT_EQ(names(plan.remove), Names{"a"});
  EXPECT_EQ(plan.warnings,
            Texts{"the picker's answer is not used: feature gate DownscalePodPicker is off"});
}

TEST_F(PlanTest, WarnsIfBothPickerAndDeletionCostAreUsed) {
  add_pod("a").deletion_cost = -5;
  add_pod("b");
  request_.answer = picker::Answer{{"b"}, {}, {}};
  const SetPlan plan = this->plan(1);
  EXPECT_EQ(names(plan.remove), Names{"a"});
  EXPECT_EQ(plan.warnings, Texts{"both the picker and deletion cost are in use; deletion cost "
                                 "decides first, so the picker's choice may stay"});
}

TEST_F(PlanTest, AnAnswerWithoutCandidatesIsAsNoPicker) {
  add_pod("a");
  add_pod("b");
  request_.answer = picker::Answer{{"x"}, {}, {}};
  const SetPlan plan = this->plan(1);
  EXPECT_EQ(names(plan.remove), Names{"a"});
  EXPECT_EQ(plan.warnings,
            (Texts{"names in the picker's answer that are not candidates or are listed twice: x",
                   "the picker's answer names no candidate, so the default order applies"}));
}

TEST_F(PlanTest, WarnsOfPodsThatAreMissingInTheInput) {
  world_.snapshot.replica_sets.front().status_replicas = 3;
  request_.namespace_name = "default";
  request_.name = "web";
  const auto without = make_plan(world_.snapshot, request_);
  ASSERT_FALSE(without.has_value());
  EXPECT_EQ(without.error().message,
            "ReplicaSet default/web has pods, but the input has none; add what kubectl get pods -o "
            "json prints");
  add_pod("a");
  EXPECT_EQ(plan(1).warnings, Texts{"the status counts 3 active pods, but the input has 1; is it "
                                    "complete?"});
}

TEST_F(PlanTest, WarnsOfPodsFromTheFuture) {
  add_pod("a").created = ago(-kHour);
  EXPECT_EQ(plan(1).warnings, Texts{"pods were created after the time of the decision, "
                                    "2026-11-01T12:00:00Z: a"});
}

TEST_F(PlanTest, WarnsOfKindsThatWereNotReadBecauseOfTheirVersion) {
  add_pod("a");
  world_.snapshot.skipped["apps/v1beta2 ReplicaSet"] = 2;
  world_.snapshot.skipped["ConfigMap"] = 5;
  request_.namespace_name = "default";
  request_.name = "web";
  request_.now = kNow;
  const auto plan = make_plan(world_.snapshot, request_);
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(
      plan->warnings,
      Texts{"not read, because the API version is not supported: apps/v1beta2 ReplicaSet (2)"});
}

TEST_F(PlanTest, ASelectorThatSelectsNothingIsAnError) {
  world_.snapshot.replica_sets.front().selector = {};
  request_.namespace_name = "default";
  request_.name = "web";
  const auto plan = make_plan(world_.snapshot, request_);
  ASSERT_FALSE(plan.has_value());
  EXPECT_EQ(plan.error().message,
            "ReplicaSet default/web: spec.selector: is missing or empty, so it has no pods");
}

// A Deployment `shop` in the middle of a rollout, from ReplicaSet `old` to `new`.
class DeploymentPlanTest : public PlanTest {
 protected:
  DeploymentPlanTest() {
    auto& snapshot = world_.snapshot;
    snapshot.replica_sets.clear();
    model::Deployment deployment;
    deployment.name = world_.intern("shop");
    deployment.namespace_name = world_.intern("default");
    deployment.uid = world_.intern("shop-uid");
    deployment.max_surge = {0, false};
    snapshot.deployments.push_back(deployment);
    add_set("old", 4);
    add_set("new", 2);
    request_.kind = Request::Kind::kDeployment;
  }

  void add_set(std::string_view name, std::int32_t replicas) {
    model::ReplicaSet set = world_.replica_set(name, replicas);
    set.controller = world_.owner("Deployment", "shop", "shop-uid");
    set.max_annotation = 6;
    world_.snapshot.replica_sets.push_back(set);
    for (int i = 0; i < replicas; ++i) {
      Pod& pod = add_pod(std::string(name) + "-" + std::to_string(i));
      pod.labels = set.template_labels;
      pod.controller = world_.owner("ReplicaSet", name, std::string(name) + "-uid");
    }
  }

  Plan plan_all(std::int32_t replicas) {
    request_.namespace_name = "default";
    request_.name = "shop";
    request_.replicas = replicas;
    request_.now = kNow;
    auto plan = make_plan(world_.snapshot, request_);
    EXPECT_TRUE(plan.has_value()) << plan.error().message;
    return std::move(*plan);
  }
};

TEST_F(DeploymentPlanTest, PlansEachReplicaSetForItsShare) {
  const Plan plan = plan_all(3);
  EXPECT_EQ(plan.split.how, control::Split::How::kProportional);
  ASSERT_EQ(plan.sets.size(), 2U);
  EXPECT_EQ(plan.sets[0].set->name.view(), "old");
  EXPECT_EQ(plan.sets[0].desired, 2);
  EXPECT_EQ(plan.sets[0].remove.size(), 2U);
  EXPECT_EQ(plan.sets[1].desired, 1);
  EXPECT_EQ(plan.sets[1].remove.size(), 1U);
}

TEST_F(DeploymentPlanTest, OneAnswerMayNamePodsOfAllReplicaSets) {
  request_.answer = picker::Answer{{"old-3", "new-1", "nobody"}, {}, {}};
  const Plan plan = plan_all(4);
  EXPECT_EQ(names(plan.sets[0].remove), Names{"old-3"});
  EXPECT_EQ(names(plan.sets[1].remove), Names{"new-1"});
  for (const SetPlan& set : plan.sets) {
    EXPECT_EQ(set.warnings, Texts{"names in the picker's answer that are not candidates or are "
                                  "listed twice: nobody"});
  }
}

TEST_F(DeploymentPlanTest, ADeploymentWithoutReplicaSetsSaysWhatIsMissing) {
  world_.snapshot.replica_sets.clear();
  request_.namespace_name = "default";
  request_.name = "shop";
  const auto plan = make_plan(world_.snapshot, request_);
  ASSERT_FALSE(plan.has_value());
  EXPECT_EQ(
      plan.error().message,
      "Deployment default/shop owns no ReplicaSet in the input; add what kubectl get rs -o json "
      "prints");
}

TEST_F(DeploymentPlanTest, WarnsOfPodsOfOtherOwnersInAnAnswer) {
  add_pod("daemon-1").controller = world_.owner("DaemonSet", "daemon", "daemon-uid");
  request_.answer = picker::Answer{{"old-3", "daemon-1"}, {}, {}};
  const Plan plan = plan_all(4);
  EXPECT_EQ(plan.sets[0].warnings,
            Texts{"names in the picker's answer that are not candidates or are "
                  "listed twice: daemon-1"});
}

TEST_F(DeploymentPlanTest, ADeploymentThatIsBeingDeletedIsNotScaled) {
  world_.snapshot.deployments.front().deleting = true;
  const Plan plan = plan_all(1);
  EXPECT_EQ(plan.split.how, control::Split::How::kDeleting);
  for (const SetPlan& set : plan.sets) EXPECT_TRUE(set.remove.empty());
  EXPECT_EQ(plan.warnings,
            Texts{"the Deployment is being deleted, so controllers do not scale it"});
}

TEST_F(DeploymentPlanTest, TheOrderOfReplicaSetsInTheInputDoesNotMatter) {
  // Both have the newest revision and are complete; the older one counts as new.
  for (auto& set : world_.snapshot.replica_sets) {
    set.replicas = 2;
    set.revision = 7;
    set.desired_annotation = 2;
    set.available = 2;
  }
  world_.snapshot.deployments.front().revision = 7;
  world_.snapshot.replica_sets[0].created = ago(2 * kHour);
  world_.snapshot.replica_sets[1].created = ago(1 * kHour);
  for (int round = 0; round < 2; ++round) {
    const Plan plan = plan_all(2);
    EXPECT_EQ(plan.split.how, control::Split::How::kSaturated);
    EXPECT_EQ(plan.sets[0].set->name.view(), "old");
    EXPECT_EQ(plan.sets[0].desired, 2);
    EXPECT_EQ(plan.sets[1].desired, 0);
    std::swap(world_.snapshot.replica_sets[0], world_.snapshot.replica_sets[1]);
  }
}

TEST_F(DeploymentPlanTest, ARecreateRolloutIsNotScaled) {
  world_.snapshot.deployments.front().recreate = true;
  const Plan plan = plan_all(1);
  EXPECT_EQ(plan.split.how, control::Split::How::kRecreate);
  EXPECT_TRUE(plan.sets[0].remove.empty());
  EXPECT_EQ(plan.warnings, Texts{"a Recreate rollout is in progress; its ReplicaSets are not "
                                 "scaled until it completes"});
}

TEST_F(DeploymentPlanTest, AReplicaSetOfADeploymentIsPlannedWithAWarning) {
  request_.kind = Request::Kind::kReplicaSet;
  request_.namespace_name = "default";
  request_.name = "old";
  request_.replicas = 4;
  request_.now = kNow;
  const auto plan = make_plan(world_.snapshot, request_);
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(
      plan->warnings,
      Texts{"Deployment shop manages this ReplicaSet and would undo a change of its size; plan "
            "that one instead"});
}

TEST_F(PlanTest, DoesNotScaleASetWithAPodThatCouldNotBeDecoded) {
  add_pod("a");
  add_pod("b");
  const Pod own = world_.pod("c");
  world_.snapshot.undecoded.push_back({.kind = "Pod",
                                       .namespace_name = own.namespace_name,
                                       .name = own.name,
                                       .uid = own.uid,
                                       .controller = own.controller,
                                       .owner_known = true,
                                       .problem = "Pod default/c: spec.nodeName: bad"});
  const SetPlan plan = this->plan(1);
  EXPECT_TRUE(plan.remove.empty());
  EXPECT_EQ(names(plan.keep).size(), 2U);
  ASSERT_EQ(plan.undecoded.size(), 1U);
  EXPECT_EQ(plan.warnings,
            Texts{"Pod default/c: spec.nodeName: bad; the ReplicaSet is not scaled until every pod "
                  "of it can be decoded"});
}

TEST_F(PlanTest, InvalidObjectsOfOthersCostAWarningOnly) {
  add_pod("a");
  const Pod foreign = world_.pod("x");
  for (int i = 0; i < 7; ++i) {
    world_.snapshot.undecoded.push_back({.kind = "Pod",
                                         .namespace_name = foreign.namespace_name,
                                         .name = foreign.name,
                                         .uid = foreign.uid,
                                         .controller = nullptr,
                                         .owner_known = true,
                                         .problem = "Pod default/x: bad"});
  }
  const SetPlan plan = this->plan(0);
  EXPECT_EQ(names(plan.remove), Names{"a"});
  EXPECT_TRUE(plan.warnings.empty());
  const auto whole = make_plan(world_.snapshot, request_);
  ASSERT_TRUE(whole.has_value());
  ASSERT_EQ(whole->warnings.size(), 6U);
  EXPECT_EQ(whole->warnings.front(), "Pod default/x: bad; it is ignored");
  EXPECT_EQ(whole->warnings.back(), "2 more objects have invalid values");
}

TEST_F(PlanTest, ATargetThatCouldNotBeDecodedIsNotCalledMissing) {
  const auto set = world_.snapshot.replica_sets.front();
  world_.snapshot.replica_sets.clear();
  world_.snapshot.undecoded.push_back({.kind = "ReplicaSet",
                                       .namespace_name = set.namespace_name,
                                       .name = set.name,
                                       .uid = set.uid,
                                       .controller = nullptr,
                                       .owner_known = true,
                                       .problem = "ReplicaSet default/web: spec.replicas: bad"});
  request_.namespace_name = "default";
  request_.name = "web";
  const auto plan = make_plan(world_.snapshot, request_);
  ASSERT_FALSE(plan.has_value());
  EXPECT_EQ(plan.error().message, "ReplicaSet default/web: spec.replicas: bad");
}

}  // namespace
}  // namespace ebb::plan
