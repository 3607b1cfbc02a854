// Scale-downs that heed ranks, from the policy to the victims.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/agenda.h"
#include "control/replica_set_controller.h"
#include "ranking/publication.h"
#include "schema/json.h"
#include "support/controller_scene.h"
#include "support/pods.h"

namespace ebb::control {
namespace {

namespace json = boost::json;
using testing::ControllerScene;
using testing::kSecond;
using Names = std::vector<std::string>;
using Costs = std::map<std::string, int>;

constexpr std::string_view kEbb = "/apis/ebb.dev/v1alpha1/namespaces/shop/";
constexpr std::string_view kSpread =
    R"("strategies":[{"name":"TopologySpread","args":{"topologyKey":"zone"}}])";
constexpr std::string_view kAntiAffinity = R"("strategies":[{"name":"AntiAffinity"}])";
constexpr std::string_view kOwned =
    R"({"ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment","name":"web",
        "uid":"deployment-uid","controller":true}]})";

std::string annotation(int rank) {
  return fmt::format(R"({{"scheduling.alpha.kubernetes.io/cost":"{}"}})", rank);
}

class RankPassTest : public ::testing::Test {
 protected:
  // `web` has these pods, all Ready, and wants `replicas`.
  void begin(int replicas, const Names& pods) {
    scene_.create_set("web", replicas);
    for (const std::string& pod : pods) scene_.create_pod(pod);
  }
  void go() { scene_.settle_but_for_timers(); }

  void create_policy(std::string_view ranking, std::string_view target = "ReplicaSet") {
    scene_.request(model::Method::kPost, fmt::format("{}downscalepolicies", kEbb),
                   fmt::format(R"({{"apiVersion":"ebb.dev/v1alpha1","kind":"DownscalePolicy",
                       "metadata":{{"name":"web"}},"spec":{{"targetRef":{{"kind":"{}","name":"web"}},
                       "ranking":{{{}}}}}}})",
                               target, ranking),
                   201);
  }

  // As the component that ranks publishes: first what it says, then for which pods.
  void write_costs(const Costs& costs) {
    json::object all;
    for (const auto& [pod, cost] : costs) all[pod] = cost;
    const std::string spec =
        fmt::format(R"("spec":{{"owner":{{"kind":"ReplicaSet","name":"web"}},"costs":{}}})",
                    json::serialize(all));
    if (published_) {
      // A merge patch would keep those who are gone.
      json::object whole = scene_.get(fmt::format("{}podgroupcosts/web", kEbb));
      whole["spec"].as_object()["costs"] = all;
      scene_.request(model::Method::kPut, fmt::format("{}podgroupcosts/web", kEbb),
                     json::serialize(whole), 200);
      return;
    }
    published_ = true;
    scene_.request(model::Method::kPost, fmt::format("{}podgroupcosts", kEbb),
                   fmt::format(R"({{"apiVersion":"ebb.dev/v1alpha1","kind":"PodGroupCost",
                       "metadata":{{"name":"web"}},{}}})",
                               spec),
                   201);
  }
  void write_status(bool recompute) {
    const auto cost = scene_.get(fmt::format("{}podgroupcosts/web", kEbb));
    const json::value* generation = schema::lookup(cost, {"metadata", "generation"});
    scene_.patch(
        fmt::format("{}podgroupcosts/web/status", kEbb),
        fmt::format(R"({{"status":{{"recompute":{},"podSetHash":"{}","observedGeneration":{}}}}})",
                    recompute, hash_of_pods(), json::serialize(*generation)));
  }
  void publish(const Costs& costs, bool recompute = false) {
    write_costs(costs);
    write_status(recompute);
  }
  // Of the pods that there really are, as somebody who ranks them sees them.
  std::string hash_of_pods() {
    testing::World world;
    std::vector<model::Pod> pods;
    for (const std::string& name : scene_.pods()) {
      const auto object = scene_.get(fmt::format("/api/v1/namespaces/shop/pods/{}", name));
      model::Pod pod = world.pod(name);
      pod.uid = world.intern(std::string_view(schema::text_at(object, {"metadata", "uid"})));
      pods.push_back(pod);
    }
    return ranking::pod_set_hash(testing::pointers(pods));
  }
  void annotate(std::string_view pod, int rank) {
    scene_.patch(fmt::format("/api/v1/namespaces/shop/pods/{}", pod),
                 fmt::format(R"({{"metadata":{{"annotations":{}}}}})", annotation(rank)));
  }

  const Decision::Ranking& record() const { return *scene_.decisions.back().ranking; }
  Names victims() const {
    Names names;
    for (const Decision::Victim& victim : scene_.decisions.back().victims) {
      names.push_back(victim.name);
    }
    return names;
  }

  ControllerScene scene_{make_replica_set_controller};
  bool published_ = false;
};

// The three of the proposal's test plan.

TEST_F(RankPassTest, ScalingDownRespectsTheRanking) {
  begin(2, {"a", "b", "c", "d"});
  publish({{"a", 1}, {"b", 4}, {"c", 2}, {"d", 3}});
  go();
  EXPECT_EQ(scene_.pods(), (Names{"a", "c"}));
  EXPECT_EQ(victims(), (Names{"b", "d"}));
  EXPECT_EQ(scene_.decisions[0].victims[0].rule, "CostRank");
  EXPECT_EQ(record().outcome, RankOutcome::kRanked);
  EXPECT_EQ(record().carrier, "PodGroupCost web");
  EXPECT_EQ(record().waited_ns, 0);
  EXPECT_TRUE(scene_.messages("RanksIgnored").empty());
  EXPECT_TRUE(scene_.messages("RanksAwaited").empty());
}

TEST_F(RankPassTest, RanksAreIgnoredIfOnePodMissesOneAfterTheTimeout) {
  create_policy(fmt::format(R"({},"waitSeconds":20)", kSpread));
  begin(2, {"a", "b", "c"});
  publish({{"a", 1}, {"b", 9}});
  go();
  EXPECT_EQ(scene_.messages("RanksAwaited"),
            Names{"Waits up to 20 s for ranks: PodGroupCost web does not rank 1 of the Ready pods, "
                  "so it is not used"});
  scene_.pass_time(20 * kSecond - 1);
  EXPECT_EQ(scene_.pods().size(), 3U);
  scene_.pass_time(1);
  go();
  EXPECT_EQ(scene_.pods().size(), 2U);
  EXPECT_EQ(record().outcome, RankOutcome::kIncomplete);
  EXPECT_EQ(record().waited_ns, 20 * kSecond);
  EXPECT_NE(scene_.decisions[0].victims[0].rule, "CostRank");
  EXPECT_EQ(scene_.messages("RanksIgnored"),
            Names{"The default order decides, after waiting 20 s: PodGroupCost web does not rank 1 "
                  "of the Ready pods, so it is not used"});
  EXPECT_EQ(scene_.counted(Count::kRankWaits), 1);
  EXPECT_EQ(scene_.labelled["incomplete ranks"], 1);
}

TEST_F(RankPassTest, WhereRanksAreRecomputedOnlyOneGoesAndNoOtherUntilTheyAre) {
  begin(1, {"a", "b", "c", "d"});
  publish({{"a", 1}, {"b", 9}, {"c", 2}, {"d", 3}}, true);
  go();
  EXPECT_EQ(scene_.pods(), (Names{"a", "c", "d"}));
  EXPECT_TRUE(record().recompute);
  // What was worked out with b does not count any more.
  scene_.pass_time(29 * kSecond);
  EXPECT_EQ(scene_.pods().size(), 3U);
  EXPECT_EQ(scene_.status("web", "replicas"), "3");
  // Now a has to go first.
  publish({{"a", 7}, {"c", 2}, {"d", 3}}, true);
  go();
  EXPECT_EQ(scene_.pods(), (Names{"c", "d"}));
  publish({{"c", 2}, {"d", 3}}, true);
  go();
  EXPECT_EQ(scene_.pods(), Names{"c"});
  EXPECT_EQ(scene_.decisions.size(), 3U);
  EXPECT_TRUE(scene_.messages("RanksIgnored").empty());
  EXPECT_EQ(scene_.messages("RanksAwaited").size(), 1U);  // not each time
}

// Completeness.

TEST_F(RankPassTest, WithoutRanksAndWithoutAPolicyNobodyWaitsAndNothingIsSaid) {
  begin(1, {"a", "b"});
  go();
  EXPECT_EQ(scene_.pods().size(), 1U);
  EXPECT_FALSE(scene_.decisions.at(0).ranking.has_value());
  EXPECT_TRUE(scene_.messages("RanksIgnored").empty());
}

TEST_F(RankPassTest, IncompleteRanksAreIgnoredAtOnceUnlessSomebodySaysOtherwise) {
  begin(1, {"a", "b"});
  publish({{"a", 1}});
  go();
  EXPECT_EQ(scene_.pods().size(), 1U);
  EXPECT_EQ(record().outcome, RankOutcome::kIncomplete);
  EXPECT_EQ(scene_.messages("RanksIgnored").size(), 1U);
  EXPECT_EQ(scene_.messages("DownscaleDecision").at(0).substr(0, 15), "1 of 2 pods goe");
  EXPECT_NE(scene_.messages("DownscaleDecision").at(0).find("; ranks are incomplete"),
            std::string::npos);
}

TEST_F(RankPassTest, ComeFromTheFirstCompleteCarrierAndAreNeverMixed) {
  begin(2, {});
  scene_.create_pod("a", {.annotations = annotation(3)});
  scene_.create_pod("b", {.annotations = annotation(2)});
  scene_.create_pod("c", {.annotations = annotation(1)});
  publish({{"a", 1}, {"b", 9}});
  go();
  EXPECT_EQ(victims(), Names{"a"});
  EXPECT_EQ(record().carrier, "annotation scheduling.alpha.kubernetes.io/cost");
  EXPECT_EQ(record().problems.size(), 1U);
}

TEST_F(RankPassTest, APolicyThatRanksButHasPublishedNothingIsWaitedForAsItSays) {
  create_policy(fmt::format(R"({},"waitSeconds":5)", kSpread));
  begin(1, {"a", "b"});
  go();
  EXPECT_EQ(scene_.pods().size(), 2U);
  EXPECT_EQ(scene_.messages("RanksAwaited"),
            Names{"Waits up to 5 s for ranks: DownscalePolicy web asks for ranks, and there are "
                  "none"});
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 1U);
  EXPECT_EQ(record().outcome, RankOutcome::kUnpublished);
  EXPECT_EQ(record().policy, "web");
}

TEST_F(RankPassTest, ByDefaultAPolicyIsNotWaitedFor) {
  create_policy(kSpread);
  begin(1, {"a", "b"});
  go();
  EXPECT_EQ(scene_.pods().size(), 1U);
  EXPECT_EQ(record().outcome, RankOutcome::kUnpublished);
  EXPECT_EQ(scene_.messages("RanksIgnored").size(), 1U);
}

TEST_F(RankPassTest, APodGroupCostWhoseStatusIsOfAnEarlierGenerationIsNotComplete) {
  begin(1, {"a", "b"});
  publish({{"a", 1}, {"b", 9}});
  write_costs({{"a", 9}, {"b", 1}});
  go();
  EXPECT_EQ(record().outcome, RankOutcome::kStale);
  EXPECT_EQ(record().problems,
            Names{"PodGroupCost web has a status of generation 1 and is at 2, so it is not used"});
}

TEST_F(RankPassTest, WhoWritesNoStatusIsTakenByWhatItSays) {
  begin(1, {"a", "b"});
  write_costs({{"a", 1}, {"b", 9}});
  go();
  EXPECT_EQ(scene_.pods(), Names{"a"});
  EXPECT_EQ(record().outcome, RankOutcome::kRanked);
}

// A status is written after the spec, so this is what is seen in between.
TEST_F(RankPassTest, WhereThePolicyRecomputesAPodGroupCostWithoutAStatusIsNotComplete) {
  create_policy(kAntiAffinity);
  begin(1, {"a", "b", "c"});
  write_costs({{"a", 1}, {"b", 9}, {"c", 5}});
  go();
  EXPECT_EQ(scene_.pods().size(), 3U);
  write_status(true);
  go();
  EXPECT_EQ(scene_.pods(), (Names{"a", "c"}));
}

// Waiting.

TEST_F(RankPassTest, WhatIsPublishedMeanwhileEndsTheWait) {
  create_policy(fmt::format(R"({},"waitSeconds":60)", kSpread));
  begin(1, {"a", "b", "c"});
  go();
  scene_.pass_time(3 * kSecond);
  EXPECT_EQ(scene_.pods().size(), 3U);
  publish({{"a", 9}, {"b", 1}, {"c", 5}});
  go();
  EXPECT_EQ(scene_.pods(), Names{"b"});
  EXPECT_EQ(record().outcome, RankOutcome::kRanked);
  EXPECT_EQ(record().waited_ns, 3 * kSecond);
  EXPECT_TRUE(scene_.messages("RanksIgnored").empty());
}

TEST_F(RankPassTest, TheLastAnnotationEndsTheWait) {
  create_policy(fmt::format(R"({},"publish":"Annotation","waitSeconds":60)", kSpread));
  begin(1, {"a", "b"});
  annotate("a", 1);
  go();
  EXPECT_EQ(scene_.pods().size(), 2U);
  annotate("b", 2);
  go();
  EXPECT_EQ(scene_.pods(), Names{"a"});
}

TEST_F(RankPassTest, APolicyThatChangesOrGoesEndsTheWait) {
  for (const bool deleted : {true, false}) {
    scene_.create_set("web", 1);
    for (const char* name : {"a", "b"}) scene_.create_pod(name);
    create_policy(fmt::format(R"({},"waitSeconds":60)", kSpread));
    go();
    EXPECT_EQ(scene_.pods().size(), 2U);
    const std::string path = fmt::format("{}downscalepolicies/web", kEbb);
    if (deleted) {
      scene_.request(model::Method::kDelete, path, {}, 200);
    } else {
      scene_.patch(path, R"({"spec":{"ranking":{"waitSeconds":0}}})");
    }
    go();
    EXPECT_EQ(scene_.pods().size(), 1U);
    EXPECT_EQ(scene_.decisions.back().ranking.has_value(), !deleted);
    scene_.request(model::Method::kDelete, "/apis/apps/v1/namespaces/shop/replicasets/web",
                   R"({"propagationPolicy":"Orphan"})");
    for (const std::string& pod : scene_.pods()) scene_.delete_pod(pod);
    go();
  }
}

TEST_F(RankPassTest, APolicyOnTheDeploymentCountsToo) {
  create_policy(fmt::format(R"({},"waitSeconds":60)", kSpread), "Deployment");
  scene_.create_set("web", 1, "{}", kOwned);
  for (const char* name : {"a", "b"}) scene_.create_pod(name);
  go();
  EXPECT_EQ(scene_.pods().size(), 2U);
  scene_.patch(fmt::format("{}downscalepolicies/web", kEbb),
               R"({"spec":{"ranking":{"waitSeconds":0}}})");
  go();
  EXPECT_EQ(scene_.pods().size(), 1U);
}

TEST_F(RankPassTest, WhenReplicasRiseTheWaitIsForgotten) {
  create_policy(fmt::format(R"({},"waitSeconds":20)", kSpread));
  begin(1, {"a", "b"});
  go();
  scene_.pass_time(15 * kSecond);
  scene_.scale("web", 2);
  go();
  EXPECT_TRUE(scene_.decisions.empty());
  // The next scale-down has all of its time.
  scene_.scale("web", 1);
  go();
  scene_.pass_time(15 * kSecond);
  EXPECT_EQ(scene_.pods().size(), 2U);
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 1U);
  EXPECT_EQ(record().waited_ns, 20 * kSecond);
}

TEST_F(RankPassTest, AScaleDownWaitsOnceHoweverManyPodsItIsAbout) {
  create_policy(fmt::format(R"({},"waitSeconds":20)", kSpread));
  Names pods;
  for (int i = 0; i < 503; ++i) pods.push_back(fmt::format("pod-{}", i));
  begin(1, pods);
  go();
  scene_.pass_time(20 * kSecond);
  go();
  EXPECT_EQ(scene_.pods().size(), 1U);
  EXPECT_EQ(scene_.decisions.size(), 2U);
  EXPECT_EQ(scene_.counted(Count::kRankWaits), 1);
}

TEST_F(RankPassTest, WhoWaitsHoldsUpNobodyElse) {
  create_policy(fmt::format(R"({},"waitSeconds":60)", kSpread));
  begin(1, {"a", "b"});
  scene_.create_set("swift", 1);
  for (const char* name : {"s-1", "s-2"}) {
    scene_.create_pod(name, {.app = "swift", .owner = "swift"});
  }
  go();
  ASSERT_EQ(scene_.decisions.size(), 1U);
  EXPECT_EQ(scene_.decisions[0].replica_set, "swift");
  EXPECT_EQ(scene_.pods().size(), 3U);
}

TEST_F(RankPassTest, ARestartLosesNothingButTheWait) {
  create_policy(fmt::format(R"({},"waitSeconds":20)", kSpread));
  begin(1, {"a", "b"});
  go();
  scene_.pass_time(15 * kSecond);
  scene_.controller().stop();
  EXPECT_TRUE(scene_.controller().idle());
  EXPECT_TRUE(scene_.controller().wake_at().is_zero());
  scene_.restart();
  go();
  scene_.pass_time(15 * kSecond);
  EXPECT_EQ(scene_.pods().size(), 2U);
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 1U);
}

TEST_F(RankPassTest, PodsThatGoAnywayNeedNoRanks) {
  create_policy(fmt::format(R"({},"waitSeconds":60)", kSpread));
  begin(2, {"a", "b"});
  scene_.create_pod("unready", {.ready = false});
  go();
  EXPECT_EQ(scene_.pods(), (Names{"a", "b"}));
  EXPECT_EQ(record().outcome, RankOutcome::kNotNeeded);
  EXPECT_TRUE(scene_.messages("RanksAwaited").empty());
  EXPECT_TRUE(scene_.messages("RanksIgnored").empty());
}

TEST_F(RankPassTest, PodsThatGoAnywayGoFirstAndOnlyTheOthersWait) {
  create_policy(fmt::format(R"({},"waitSeconds":60)", kSpread));
  begin(1, {"a", "b"});
  scene_.create_pod("unready", {.ready = false});
  go();
  EXPECT_EQ(scene_.pods(), (Names{"a", "b"}));
  EXPECT_EQ(scene_.messages("RanksAwaited").size(), 1U);
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 1U);
}

TEST_F(RankPassTest, WhereAllGoThereIsNothingToRank) {
  create_policy(kAntiAffinity);
  begin(0, {"a", "b", "c"});
  go();
  EXPECT_TRUE(scene_.pods().empty());
  EXPECT_EQ(scene_.decisions.size(), 1U);
  EXPECT_EQ(record().outcome, RankOutcome::kNotNeeded);
}

// Recomputation.

TEST_F(RankPassTest, RecomputedRanksThatDoNotComeCostHalfAMinuteForEachPod) {
  begin(1, {"a", "b", "c"});
  publish({{"a", 1}, {"b", 9}, {"c", 2}}, true);
  go();
  ASSERT_EQ(scene_.pods(), (Names{"a", "c"}));
  scene_.pass_time(30 * kSecond - 1);
  EXPECT_EQ(scene_.pods().size(), 2U);
  scene_.pass_time(1);
  go();
  EXPECT_EQ(scene_.pods().size(), 1U);
  EXPECT_EQ(record().outcome, RankOutcome::kStale);
  EXPECT_EQ(record().waited_ns, 30 * kSecond);
  EXPECT_EQ(scene_.messages("RanksIgnored"),
            Names{"The default order decides, after waiting 30 s: PodGroupCost web was worked out "
                  "for other pods than there are now, so it is not used"});
}

TEST_F(RankPassTest, ByTimeoutTooOnlyOneGoesAtATime) {
  create_policy(kAntiAffinity);
  begin(1, {"a", "b", "c"});
  go();
  EXPECT_EQ(scene_.pods().size(), 3U);
  for (const std::size_t left : {2U, 1U}) {
    scene_.pass_time(30 * kSecond - 1);
    EXPECT_EQ(scene_.pods().size(), left + 1);
    scene_.pass_time(1);
    go();
    EXPECT_EQ(scene_.pods().size(), left);
  }
  EXPECT_EQ(scene_.counted(Count::kRankWaits), 2);
  EXPECT_EQ(scene_.labelled["no ranks"], 2);
}

TEST_F(RankPassTest, WithAnExplicitZeroNobodyWaitsButTheyStillGoOneByOne) {
  create_policy(fmt::format(R"({},"waitSeconds":0)", kAntiAffinity));
  begin(1, {"a", "b", "c"});
  go();
  EXPECT_EQ(scene_.pods().size(), 1U);
  EXPECT_EQ(scene_.decisions.size(), 2U);
}

TEST_F(RankPassTest, WhoGoesWithoutRanksGoesTogetherAlsoWhereTheyAreRecomputed) {
  begin(1, {"a", "b"});
  for (const char* name : {"u-1", "u-2"}) scene_.create_pod(name, {.ready = false});
  publish({{"a", 1}, {"b", 2}, {"u-1", 0}, {"u-2", 0}}, true);
  go();
  EXPECT_EQ(scene_.pods(), (Names{"a", "b"}));
  EXPECT_EQ(scene_.decisions.size(), 1U);
  publish({{"a", 1}, {"b", 2}}, true);
  go();
  EXPECT_EQ(scene_.pods(), Names{"a"});
}

// Rollouts.

TEST_F(RankPassTest, DuringARolloutRanksAreIgnoredUnlessThePolicySaysOtherwise) {
  for (const bool during : {false, true}) {
    ControllerScene scene(make_replica_set_controller);
    const auto create = [&](const std::string& plural, std::string_view body) {
      scene.request(model::Method::kPost, fmt::format("{}{}", kEbb, plural), std::string(body),
                    201);
    };
    create("downscalepolicies",
           fmt::format(R"({{"apiVersion":"ebb.dev/v1alpha1","kind":"DownscalePolicy",
                "metadata":{{"name":"web"}},"spec":{{"targetRef":{{"kind":"Deployment","name":"web"}},
                "ranking":{{{},"duringRollouts":{}}}}}}})",
                       kSpread, during));
    scene.create_set("web", 1, "{}", kOwned);
    scene.create_set("new", 1, "{}", kOwned);
    scene.create_pod("a", {.annotations = annotation(1)});
    scene.create_pod("b", {.annotations = annotation(9)});
    scene.create_pod("n", {.app = "new", .owner = "new"});
    scene.settle_but_for_timers();
    ASSERT_EQ(scene.decisions.size(), 1U);
    const Decision& decision = scene.decisions[0];
    EXPECT_EQ(decision.ranking->outcome, during ? RankOutcome::kRanked : RankOutcome::kRollout);
    EXPECT_EQ(decision.victims[0].rule == "CostRank", during);
    EXPECT_TRUE(scene.messages("RanksIgnored").empty());
  }
}

// With others.

TEST_F(RankPassTest, RanksAreWaitedForBeforeThePickerIsAsked) {
  create_policy(fmt::format(R"({},"waitSeconds":20)", kSpread));
  scene_.create_set("web", 1, R"({"downscalePodPicker":{"http":{"host":"picker"}}})");
  for (const char* name : {"a", "b", "c"}) scene_.create_pod(name);
  go();
  EXPECT_TRUE(scene_.questions.empty());
  publish({{"a", 1}, {"b", 2}, {"c", 2}});
  go();
  ASSERT_EQ(scene_.questions.size(), 1U);
  EXPECT_EQ(scene_.messages("RanksAwaited").size(), 1U);
  scene_.answer_question({"c"}, {"a", "b"});
  go();
  EXPECT_EQ(scene_.pods(), Names{"a"});
  EXPECT_EQ(record().outcome, RankOutcome::kRanked);
  EXPECT_EQ(scene_.decisions[0].picker->outcome, picker::Outcome::kAnswered);
}

TEST_F(RankPassTest, WhereRanksAreRecomputedThePickerIsAskedAboutOne) {
  scene_.create_set("web", 1, R"({"downscalePodPicker":{"http":{"host":"picker"}}})");
  for (const char* name : {"a", "b", "c"}) scene_.create_pod(name);
  publish({{"a", 1}, {"b", 2}, {"c", 2}}, true);
  go();
  ASSERT_EQ(scene_.questions.size(), 1U);
  EXPECT_TRUE(scene_.questions[0].body->starts_with(R"({"number_of_pods_requested":1,)"));
  scene_.answer_question({"b"});
  go();
  EXPECT_EQ(scene_.pods(), (Names{"a", "c"}));
}

TEST_F(RankPassTest, TheGateSwitchesItOff) {
  model::FeatureGates off;
  off.set(model::Gate::kPodCostRanking, false);
  scene_.restart(off);
  create_policy(fmt::format(R"({},"waitSeconds":60)", kSpread));
  begin(1, {"a", "b"});
  go();
  EXPECT_EQ(scene_.pods().size(), 1U);
  EXPECT_FALSE(scene_.decisions[0].ranking.has_value());
}

TEST_F(RankPassTest, DeletionCostsThatAPolicyPublishesAreWaitedForToo) {
  create_policy(fmt::format(R"({},"publish":"PodDeletionCost","waitSeconds":20)", kSpread));
  begin(1, {"a"});
  scene_.create_pod("b", {.annotations = R"({"controller.kubernetes.io/pod-deletion-cost":"-5"})"});
  go();
  EXPECT_EQ(scene_.pods().size(), 2U);
  scene_.patch(
      "/api/v1/namespaces/shop/pods/a",
      R"({"metadata":{"annotations":{"controller.kubernetes.io/pod-deletion-cost":"-9"}}})");
  go();
  EXPECT_EQ(scene_.pods(), Names{"b"});
  EXPECT_EQ(record().outcome, RankOutcome::kRanked);
  EXPECT_EQ(record().carrier, "annotation controller.kubernetes.io/pod-deletion-cost");
}

TEST_F(RankPassTest, SettingsThatMakeNoSenseStopNothing) {
  begin(1, {"a", "b"});
  create_policy(kSpread);
  scene_.see_all();
  // An API server that does not check would have let it pass.
  std::string text = json::serialize(scene_.get(fmt::format("{}downscalepolicies/web", kEbb)));
  const auto at = text.find("TopologySpread");
  text.replace(at, 14, "TopologySpeed");
  text.replace(text.find(R"("resourceVersion":")") + 19, 0, "9");
  ASSERT_TRUE(scene_.store->upsert(Resource::kPolicies, Store::Format::kJson, text).has_value());
  go();
  EXPECT_EQ(scene_.pods().size(), 1U);
  EXPECT_EQ(record().outcome, RankOutcome::kBadSettings);
  ASSERT_EQ(scene_.messages("RanksIgnored").size(), 1U);
  EXPECT_NE(scene_.messages("RanksIgnored")[0].find("spec.ranking.strategies"), std::string::npos);
}

TEST_F(RankPassTest, TheRecordSaysHowRanksWereHeeded) {
  create_policy(fmt::format(R"({},"waitSeconds":2)", kSpread));
  begin(1, {"a", "b"});
  publish({{"a", 1}});
  scene_.settle();
  const json::object record = scene_.decisions.at(0).to_json();
  EXPECT_EQ(json::serialize(record.at("ranking")),
            R"({"outcome":"incomplete","policy":"DownscalePolicy/web","recompute":false,)"
            R"("waitedSeconds":2E0,"problems":["PodGroupCost web does not rank 1 of the Ready )"
            R"(pods, so it is not used"]})");
  EXPECT_EQ(json::serialize(record.at("consulted")), "[]");
}

}  // namespace
}  // namespace ebb::control
