// Scale-downs that wait for ranks: what begins the wait, and what ends it.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "control/replica_set_controller.h"
#include "support/controller_scene.h"
#include "support/pods.h"
#include "support/rank_scene.h"

namespace ebb::control {
namespace {

using testing::kAntiAffinity;
using testing::kEbb;
using testing::kSecond;
using testing::kSpread;

constexpr std::string_view kOwned =
    R"({"ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment","name":"web",
        "uid":"deployment-uid","controller":true}]})";

class RankWaitTest : public testing::RankTest {};

TEST_F(RankWaitTest, WhatIsPublishedMeanwhileEndsTheWait) {
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

TEST_F(RankWaitTest, TheLastAnnotationEndsTheWait) {
  create_policy(fmt::format(R"({},"publish":"Annotation","waitSeconds":60)", kSpread));
  begin(1, {"a", "b"});
  annotate("a", 1);
  go();
  EXPECT_EQ(scene_.pods().size(), 2U);
  annotate("b", 2);
  go();
  EXPECT_EQ(scene_.pods(), Names{"a"});
}

TEST_F(RankWaitTest, APolicyThatChangesEndsTheWait) {
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

TEST_F(RankWaitTest, APolicyThatGoesEndsTheWait) {
  create_policy(fmt::format(R"({},"waitSeconds":60)", kSpread));
  begin(1, {"a", "b"});
  go();
  scene_.request(model::Method::kDelete, fmt::format("{}downscalepolicies/web", kEbb), {}, 200);
  go();
  EXPECT_EQ(scene_.pods().size(), 1U);
  EXPECT_FALSE(scene_.decisions.at(0).ranking.has_value());
}

TEST_F(RankWaitTest, APolicyOnTheDeploymentCountsToo) {
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

TEST_F(RankWaitTest, WhenReplicasRiseTheWaitIsForgotten) {
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

TEST_F(RankWaitTest, AScaleDownWaitsOnceHoweverManyPodsItIsAbout) {
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

TEST_F(RankWaitTest, WhoWaitsHoldsUpNobodyElse) {
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

TEST_F(RankWaitTest, ARestartLosesNothingButTheWait) {
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

TEST_F(RankWaitTest, PodsThatGoAnywayNeedNoRanks) {
  create_policy(fmt::format(R"({},"waitSeconds":60)", kSpread));
  begin(2, {"a", "b"});
  scene_.create_pod("unready", {.ready = false});
  go();
  EXPECT_EQ(scene_.pods(), (Names{"a", "b"}));
  EXPECT_EQ(record().outcome, RankOutcome::kNotNeeded);
  EXPECT_TRUE(scene_.messages("RanksAwaited").empty());
  EXPECT_TRUE(scene_.messages("RanksIgnored").empty());
}

TEST_F(RankWaitTest, PodsThatGoAnywayGoFirstAndOnlyTheOthersWait) {
  create_policy(fmt::format(R"({},"waitSeconds":60)", kSpread));
  begin(1, {"a", "b"});
  scene_.create_pod("unready", {.ready = false});
  go();
  EXPECT_EQ(scene_.pods(), (Names{"a", "b"}));
  EXPECT_EQ(scene_.messages("RanksAwaited").size(), 1U);
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 1U);
}

TEST_F(RankWaitTest, WhereAllGoThereIsNothingToRank) {
  create_policy(kAntiAffinity);
  begin(0, {"a", "b", "c"});
  go();
  EXPECT_TRUE(scene_.pods().empty());
  EXPECT_EQ(scene_.decisions.size(), 1U);
  EXPECT_EQ(record().outcome, RankOutcome::kNotNeeded);
}

}  // namespace
}  // namespace ebb::control
