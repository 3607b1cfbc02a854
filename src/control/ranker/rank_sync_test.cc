// Scale-downs that apply ranks, from the policy to the victims.
#include <gtest/gtest.h>

#include "support/control/rank_sync_scene.h"

namespace ebb::control {
namespace {

// The three of the proposal's test plan.

TEST_F(RankSyncTest, ScalingDownRespectsTheRanking) {
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

TEST_F(RankSyncTest, RanksAreIgnoredIfOnePodMissesOneAfterTheTimeout) {
  create_policy(fmt::format(R"({},"waitSeconds":20)", kSpread));
  begin(2, {"a", "b", "c"});
  publish({{"a", 1}, {"b", 9}});
  go();
  EXPECT_EQ(
      scene_.messages("RanksAwaited"),
      Names{"Waiting up to 20 s for ranks: PodGroupCost web does not rank 1 of the Ready pods, "
            "so it is not used"});
  EXPECT_NE(scene_.status("web", "conditions").find("Waiting up to 20 s"), std::string::npos);
  scene_.pass_time(20 * kSecond - 1);
  EXPECT_EQ(scene_.pods().size(), 3U);
  scene_.pass_time(1);
  go();
  EXPECT_EQ(scene_.pods().size(), 2U);
  EXPECT_EQ(scene_.status("web", "conditions"), "");
  EXPECT_EQ(record().outcome, RankOutcome::kIncomplete);
  EXPECT_EQ(record().waited_ns, 20 * kSecond);
  EXPECT_NE(scene_.decisions[0].victims[0].rule, "CostRank");
  EXPECT_EQ(scene_.messages("RanksIgnored"),
            Names{"The default order decides, after waiting 20 s: PodGroupCost web does not rank 1 "
                  "of the Ready pods, so it is not used"});
  EXPECT_EQ(scene_.counted(Count::kRankWaits), 1);
  EXPECT_EQ(scene_.labelled["incomplete ranks"], 1);
}

TEST_F(RankSyncTest, WhereRanksAreRecomputedOnlyOneGoesAndNoOtherUntilTheyAre) {
  begin(1, {"a", "b", "c", "d"});
  publish({{"a", 1}, {"b", 9}, {"c", 2}, {"d", 3}}, true);
  go();
  EXPECT_EQ(scene_.pods(), (Names{"a", "c", "d"}));
  EXPECT_TRUE(record().recompute);
  // Ranks that were computed while b existed no longer count.
  scene_.pass_time(29 * kSecond);
  EXPECT_EQ(scene_.pods().size(), 3U);
  EXPECT_EQ(scene_.status("web", "replicas"), "3");
  EXPECT_NE(scene_.status("web", "conditions").find("RanksAwaited"), std::string::npos);
  // Now a has to go first.
  publish({{"a", 7}, {"c", 2}, {"d", 3}}, true);
  go();
  EXPECT_EQ(scene_.pods(), (Names{"c", "d"}));
  publish({{"c", 2}, {"d", 3}}, true);
  go();
  EXPECT_EQ(scene_.pods(), Names{"c"});
  EXPECT_EQ(scene_.decisions.size(), 3U);
  EXPECT_EQ(scene_.status("web", "conditions"), "");
  EXPECT_TRUE(scene_.messages("RanksIgnored").empty());
  EXPECT_EQ(scene_.messages("RanksAwaited").size(), 1U);  // not each time
}

// Completeness.

TEST_F(RankSyncTest, WithoutRanksAndAPolicyItNeitherWaitsNorReports) {
  begin(1, {"a", "b"});
  go();
  EXPECT_EQ(scene_.pods().size(), 1U);
  EXPECT_FALSE(scene_.decisions.at(0).ranking.has_value());
  EXPECT_TRUE(scene_.messages("RanksIgnored").empty());
}

TEST_F(RankSyncTest, IncompleteRanksAreIgnoredAtOnceWithoutAPolicy) {
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

TEST_F(RankSyncTest, ComeFromTheFirstCompleteCarrierAndAreNeverMixed) {
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

TEST_F(RankSyncTest, APolicyThatRanksButHasPublishedNothingIsWaitedForAsItSays) {
  create_policy(fmt::format(R"({},"waitSeconds":5)", kSpread));
  begin(1, {"a", "b"});
  go();
  EXPECT_EQ(scene_.pods().size(), 2U);
  EXPECT_EQ(
      scene_.messages("RanksAwaited"),
      Names{"Waiting up to 5 s for ranks: DownscalePolicy web asks for ranks, but there are none"});
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 1U);
  EXPECT_EQ(record().outcome, RankOutcome::kUnpublished);
  EXPECT_EQ(record().policy, "web");
}

TEST_F(RankSyncTest, ByDefaultAPolicyIsNotWaitedFor) {
  create_policy(kSpread);
  begin(1, {"a", "b"});
  go();
  EXPECT_EQ(scene_.pods().size(), 1U);
  EXPECT_EQ(record().outcome, RankOutcome::kUnpublished);
  EXPECT_EQ(scene_.messages("RanksIgnored").size(), 1U);
}

TEST_F(RankSyncTest, AChangeOfOrderCountsBeforeItsStatusIsWritten) {
  create_policy(kSpread);
  begin(1, {"a", "b"});
  publish({{"a", 1}, {"b", 9}});
  write_costs({{"a", 9}, {"b", 1}});
  go();
  EXPECT_EQ(scene_.pods(), Names{"b"});
  EXPECT_EQ(record().outcome, RankOutcome::kRanked);
  EXPECT_TRUE(scene_.messages("RanksIgnored").empty());
}

TEST_F(RankSyncTest, RecomputedRanksWhoseStatusIsOfAnEarlierGenerationAreNotComplete) {
  create_policy(fmt::format(R"({},"waitSeconds":0)", kAntiAffinity));
  begin(1, {"a", "b"});
  publish({{"a", 1}, {"b", 9}}, true);
  write_costs({{"a", 9}, {"b", 1}});
  go();
  EXPECT_EQ(record().outcome, RankOutcome::kStale);
  EXPECT_EQ(record().problems, Names{"PodGroupCost web has a status of generation 1, but its "
                                     "generation is 2, so it is not used"});
}

TEST_F(RankSyncTest, CostsWithoutAStatusAreUsedAsTheyAre) {
  begin(1, {"a", "b"});
  write_costs({{"a", 1}, {"b", 9}});
  go();
  EXPECT_EQ(scene_.pods(), Names{"a"});
  EXPECT_EQ(record().outcome, RankOutcome::kRanked);
}

// A status is written after the spec, so this is what is seen in between.
TEST_F(RankSyncTest, WhereThePolicyRecomputesAPodGroupCostWithoutAStatusIsNotComplete) {
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

TEST_F(RankSyncTest, RanksPublishedMeanwhileEndTheWait) {
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

TEST_F(RankSyncTest, TheLastAnnotationEndsTheWait) {
  create_policy(fmt::format(R"({},"publish":"Annotation","waitSeconds":60)", kSpread));
  begin(1, {"a", "b"});
  annotate("a", 1);
  go();
  EXPECT_EQ(scene_.pods().size(), 2U);
  annotate("b", 2);
  go();
  EXPECT_EQ(scene_.pods(), Names{"a"});
}

TEST_F(RankSyncTest, APolicyThatChangesEndsTheWait) {
  create_policy(fmt::format(R"({},"waitSeconds":60)", kSpread));
  begin(1, {"a", "b"});
  go();
  EXPECT_EQ(scene_.pods().size(), 2U);
  scene_.patch(fmt::format("{}downscalepolicies/web", kEbb),
               R"({"spec":{"ranking":{"waitSeconds":0}}})");
  go();
  EXPECT_EQ(scene_.pods().size(), 1U);
  EXPECT_EQ(record().outcome, RankOutcome::kUnpublished);
}

TEST_F(RankSyncTest, APolicyThatGoesEndsTheWait) {
  create_policy(fmt::format(R"({},"waitSeconds":60)", kSpread));
  begin(1, {"a", "b"});
  go();
  scene_.request(model::Method::kDelete, fmt::format("{}downscalepolicies/web", kEbb), {}, 200);
  go();
  EXPECT_EQ(scene_.pods().size(), 1U);
  EXPECT_FALSE(scene_.decisions.at(0).ranking.has_value());
}

TEST_F(RankSyncTest, APolicyOnTheDeploymentCountsToo) {
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

TEST_F(RankSyncTest, WhenReplicasRiseTheWaitIsForgotten) {
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

TEST_F(RankSyncTest, AScaleDownWaitsOnceHoweverManyPodsItIsAbout) {
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

TEST_F(RankSyncTest, AWaitForRanksDoesNotDelayOtherReplicaSets) {
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

TEST_F(RankSyncTest, ARestartLosesNothingButTheWait) {
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

}  // namespace
}  // namespace ebb::control
