// When ranks apply and when they do not: rollouts, pickers, pods that go anyway.
#include <gtest/gtest.h>

#include "support/control/rank_sync_scene.h"

namespace ebb::control {
namespace {

TEST_F(RankSyncTest, PodsThatGoAnywayNeedNoRanks) {
  create_policy(fmt::format(R"({},"waitSeconds":60)", kSpread));
  begin(2, {"a", "b"});
  scene_.create_pod("unready", {.ready = false});
  go();
  EXPECT_EQ(scene_.pods(), (Names{"a", "b"}));
  EXPECT_EQ(record().outcome, RankOutcome::kNotNeeded);
  EXPECT_TRUE(scene_.messages("RanksAwaited").empty());
  EXPECT_TRUE(scene_.messages("RanksIgnored").empty());
}

TEST_F(RankSyncTest, PodsThatGoAnywayGoFirstAndOnlyTheOthersWait) {
  create_policy(fmt::format(R"({},"waitSeconds":60)", kSpread));
  begin(1, {"a", "b"});
  scene_.create_pod("unready", {.ready = false});
  go();
  EXPECT_EQ(scene_.pods(), (Names{"a", "b"}));
  EXPECT_EQ(scene_.messages("RanksAwaited").size(), 1U);
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 1U);
}

TEST_F(RankSyncTest, WhereAllGoThereIsNothingToRank) {
  create_policy(kAntiAffinity);
  begin(0, {"a", "b", "c"});
  go();
  EXPECT_TRUE(scene_.pods().empty());
  EXPECT_EQ(scene_.decisions.size(), 1U);
  EXPECT_EQ(record().outcome, RankOutcome::kNotNeeded);
}

// Recomputation.

TEST_F(RankSyncTest, RecomputedRanksThatDoNotComeCostHalfAMinuteForEachPod) {
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
            Names{"The default order decides, after waiting 30 s: PodGroupCost web was computed "
                  "for other pods than there are now, so it is not used"});
}

TEST_F(RankSyncTest, ByTimeoutTooOnlyOneGoesAtATime) {
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

TEST_F(RankSyncTest, AnExplicitZeroSkipsTheWaitButPodsStillGoOneByOne) {
  create_policy(fmt::format(R"({},"waitSeconds":0)", kAntiAffinity));
  begin(1, {"a", "b", "c"});
  go();
  EXPECT_EQ(scene_.pods().size(), 1U);
  EXPECT_EQ(scene_.decisions.size(), 2U);
}

TEST_F(RankSyncTest, PodsThatNeedNoRanksGoTogetherEvenIfRanksAreRecomputed) {
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

TEST_F(RankSyncTest, DuringARolloutRanksAreIgnoredUnlessThePolicySaysOtherwise) {
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

TEST_F(RankSyncTest, RanksAreWaitedForBeforeThePickerIsAsked) {
  create_policy(fmt::format(R"({},"waitSeconds":20)", kSpread));
  scene_.create_set("web", 1, R"({"downscalePodPicker":{"http":{"host":"picker"}}})");
  for (const char* name : {"a", "b", "c"}) scene_.create_pod(name);
  go();
  EXPECT_TRUE(scene_.picker_requests.empty());
  publish({{"a", 1}, {"b", 2}, {"c", 2}});
  go();
  ASSERT_EQ(scene_.picker_requests.size(), 1U);
  EXPECT_EQ(scene_.messages("RanksAwaited").size(), 1U);
  scene_.picker_answers({"c"}, {"a", "b"});
  go();
  EXPECT_EQ(scene_.pods(), Names{"a"});
  EXPECT_EQ(record().outcome, RankOutcome::kRanked);
  EXPECT_EQ(scene_.decisions[0].picker->outcome, picker::Outcome::kAnswered);
}

TEST_F(RankSyncTest, WhereRanksAreRecomputedThePickerIsAskedAboutOne) {
  scene_.create_set("web", 1, R"({"downscalePodPicker":{"http":{"host":"picker"}}})");
  for (const char* name : {"a", "b", "c"}) scene_.create_pod(name);
  publish({{"a", 1}, {"b", 2}, {"c", 2}}, true);
  go();
  ASSERT_EQ(scene_.picker_requests.size(), 1U);
  EXPECT_TRUE(scene_.picker_requests[0].body->starts_with(R"({"number_of_pods_requested":1,)"));
  scene_.picker_answers({"b"});
  go();
  EXPECT_EQ(scene_.pods(), (Names{"a", "c"}));
}

TEST_F(RankSyncTest, TheGateSwitchesItOff) {
  model::FeatureGates off;
  off.set(model::Gate::kPodCostRanking, false);
  scene_.restart(off);
  create_policy(fmt::format(R"({},"waitSeconds":60)", kSpread));
  begin(1, {"a", "b"});
  go();
  EXPECT_EQ(scene_.pods().size(), 1U);
  EXPECT_FALSE(scene_.decisions[0].ranking.has_value());
}

TEST_F(RankSyncTest, DeletionCostsThatAPolicyPublishesAreWaitedForToo) {
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

// The costs and companions of a ranker that is not done yet, or not done taking them away.
constexpr std::string_view kOursOfNine =
    R"({"controller.kubernetes.io/pod-deletion-cost":"-9","ebb.dev/published-cost":"-9"})";
constexpr std::string_view kForeignOfNine =
    R"({"controller.kubernetes.io/pod-deletion-cost":"-9"})";

TEST_F(RankSyncTest, DeletionCostsOfTheRankerCountForAllPodsOrForNone) {
  struct Case {
    std::string_view annotations;
    std::string_view rule;
  };
  for (const Case& one : {Case{kOursOfNine, "Uid"}, Case{kForeignOfNine, "DeletionCost"}}) {
    ControllerScene scene(make_replica_set_controller);
    scene.request(model::Method::kPost, fmt::format("{}downscalepolicies", kEbb),
                  fmt::format(R"({{"apiVersion":"ebb.dev/v1alpha1","kind":"DownscalePolicy",
                       "metadata":{{"name":"web"}},"spec":{{"targetRef":{{"kind":"ReplicaSet",
                       "name":"web"}},"ranking":{{{},"publish":"PodDeletionCost"}}}}}})",
                              kSpread),
                  201);
    scene.create_set("web", 2);
    for (const char* name : {"a", "b"}) scene.create_pod(name);
    scene.create_pod("z", {.annotations = one.annotations});
    scene.settle_but_for_timers();
    ASSERT_EQ(scene.decisions.size(), 1U);
    const Decision& decision = scene.decisions[0];
    EXPECT_EQ(decision.ranking->outcome, RankOutcome::kIncomplete);
    EXPECT_EQ(decision.victims[0].rule, one.rule);
    EXPECT_EQ(decision.victims[0].name == "z", one.rule == "DeletionCost");
    EXPECT_EQ(scene.messages("RanksIgnored"),
              Names{"The default order decides: annotation "
                    "controller.kubernetes.io/pod-deletion-cost is missing on 2 of the Ready pods, "
                    "so the ranker's deletion costs are not used"});
  }
}

TEST_F(RankSyncTest, DeletionCostsThatTheRankerHasYetToTakeAwayDoNotCount) {
  begin(2, {"a", "b"});
  scene_.create_pod("z", {.annotations = kOursOfNine});
  go();
  EXPECT_EQ(scene_.decisions.at(0).victims.at(0).rule, "Uid");
  EXPECT_FALSE(scene_.decisions[0].ranking.has_value());
}

TEST_F(RankSyncTest, DeletionCostsOfTheRankerAreNotMixedWithRanksFromElsewhere) {
  create_policy(kSpread);
  begin(2, {"a", "b"});
  scene_.create_pod("z", {.annotations = kOursOfNine});
  publish({{"a", 1}, {"b", 3}, {"z", 2}});
  go();
  EXPECT_EQ(victims(), Names{"b"});
  EXPECT_EQ(record().outcome, RankOutcome::kRanked);
}

TEST_F(RankSyncTest, DeletionCostsOfTheRankerAreOrdinaryOnesWithTheGateOff) {
  model::FeatureGates off;
  off.set(model::Gate::kPodCostRanking, false);
  scene_.restart(off);
  begin(2, {"a", "b"});
  scene_.create_pod("z", {.annotations = kOursOfNine});
  go();
  EXPECT_EQ(victims(), Names{"z"});
}

TEST_F(RankSyncTest, SettingsThatMakeNoSenseStopNothing) {
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

TEST_F(RankSyncTest, TheRecordSaysHowRanksWereUsed) {
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
