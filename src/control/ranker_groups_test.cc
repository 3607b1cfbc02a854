// Ranks that are written as PodGroupCosts, and how the ranker behaves whatever it writes.
#include <gtest/gtest.h>

#include "support/ranker_scene.h"

namespace ebb::control {
namespace {

TEST_F(RankerTest, WritesAPodGroupCostThatBelongsToItsReplicaSet) {
  zones();
  pod("p1", "a1");
  pod("p2", "a1");
  policy("PodGroupCost");
  scene_.settle();
  EXPECT_EQ(group_costs(), "p1 1, p2 2");
  const auto object = scene_.get(cost_path());
  const auto set = scene_.get("/apis/apps/v1/namespaces/shop/replicasets/web");
  const auto uid = schema::text_at(set, {"metadata", "uid"});
  EXPECT_EQ(schema::text_at(object, {"spec", "owner", "uid"}), uid);
  EXPECT_EQ(schema::text_at(object, {"metadata", "labels", "app.kubernetes.io/managed-by"}),
            "ebb-ranker");
  const auto* const owners = schema::array_at(object, {"metadata", "ownerReferences"});
  ASSERT_NE(owners, nullptr);
  EXPECT_EQ(schema::text_at(owners->at(0).as_object(), {"uid"}), uid);
  EXPECT_EQ(schema::integer_at(object, {"status", "observedGeneration"}),
            schema::integer_at(object, {"metadata", "generation"}));
  EXPECT_FALSE(schema::text_at(object, {"status", "podSetHash"}).empty());
  EXPECT_EQ(scene_.history, (Names{"POST podgroupcosts", "PATCH podgroupcosts/web/status"}));
}

TEST_F(RankerTest, AServerThatForgetsTheStatusIsNotToldAllTheTime) {
  zones();
  pod("p1", "a1");
  policy("PodGroupCost");
  scene_.see_all();
  scene_.run();
  scene_.carry_out("POST");
  // Its definition is an older one, and drops what it does not know.
  for (int i = 0; i < 5; ++i) {
    if (scene_.count_calls("PATCH") > 0) {
      scene_.answer_with("PATCH", boost::json::serialize(scene_.get(cost_path())));
    }
    scene_.see_all();
    scene_.pass_time(10 * kSecond);
  }
  EXPECT_EQ(sent("PATCH"), 1U);
}

TEST_F(RankerTest, WritesThePodGroupCostAgainOnlyIfTheOrderChangedOrAPodIsMissing) {
  zones();
  pod("p1", "a1");
  pod("p2", "a1");
  pod("p3", "a1");
  policy("PodGroupCost");
  scene_.settle();
  scene_.history.clear();
  // Names of pods that are gone are ignored, and the order of the others stays.
  scene_.delete_pod("p2");
  scene_.settle();
  EXPECT_EQ(scene_.history, Names());
  pod("p4", "b1");
  scene_.settle();
  EXPECT_EQ(scene_.history, (Names{"PATCH podgroupcosts/web", "PATCH podgroupcosts/web/status"}));
  EXPECT_EQ(group_costs().find("p2"), std::string::npos);
}

TEST_F(RankerTest, LeavesAPodGroupCostAloneThatItDidNotMake) {
  zones();
  scene_.request(
      model::Method::kPost, fmt::format("{}/podgroupcosts", kOurs),
      R"({"apiVersion":"ebb.dev/v1alpha1","kind":"PodGroupCost","metadata":{"name":"web"},
                     "spec":{"owner":{"kind":"ReplicaSet","name":"web"},"costs":{"p1":77}}})",
      201);
  pod("p1", "a1");
  policy("PodGroupCost");
  scene_.settle();
  EXPECT_EQ(group_costs(), "p1 77");
  EXPECT_EQ(report().reason, "ForeignPodGroupCost");
  EXPECT_EQ(report().pods, 0U);
  scene_.request(model::Method::kDelete, policy_path(), "{}", 200);
  scene_.settle();
  EXPECT_EQ(group_costs(), "p1 77");
}

TEST_F(RankerTest, ReplacesThePodGroupCostOfAnEarlierReplicaSetOfTheSameName) {
  zones();
  pod("p1", "a1");
  policy("PodGroupCost");
  scene_.settle();
  const std::string first(schema::text_at(scene_.get(cost_path()), {"metadata", "uid"}));
  scene_.request(model::Method::kDelete, "/apis/apps/v1/namespaces/shop/replicasets/web",
                 R"({"propagationPolicy":"Background"})", 200);
  scene_.delete_pod("p1");
  scene_.settle();
  EXPECT_EQ(group_costs(), "");
  scene_.create_set("web", 1);
  pod("p2", "a1");
  scene_.settle();
  EXPECT_EQ(group_costs(), "p2 1");
  EXPECT_NE(schema::text_at(scene_.get(cost_path()), {"metadata", "uid"}), first);
}

TEST_F(RankerTest, RanksThatMustBeRecomputedFollowThePodsAtOnce) {
  zones();
  pod("p1", "a1");
  pod("p2", "a1");
  pod("p3", "b1");
  policy("PodGroupCost", R"([{"name":"AntiAffinity"}])");
  scene_.settle_but_for_timers();
  const auto status = [&] { return scene_.get(cost_path())["status"].as_object(); };
  EXPECT_TRUE(schema::is_true_at(status(), {"recompute"}));
  const std::string before(schema::text_at(status(), {"podSetHash"}));
  scene_.delete_pod("p3");
  scene_.settle_but_for_timers();
  const std::string after(schema::text_at(status(), {"podSetHash"}));
  EXPECT_NE(after, before);
  EXPECT_EQ(schema::integer_at(scene_.get(cost_path()), {"metadata", "generation"}),
            schema::integer_at(status(), {"observedGeneration"}));
}

TEST_F(RankerTest, RanksAgainWhenANodeHasMovedButNotAtItsHeartbeat) {
  zones();
  pod("p1", "a1");
  pod("p2", "b1");
  policy("PodDeletionCost");
  scene_.settle();
  const auto rankings = scene_.counted(Count::kRankings);
  scene_.patch("/api/v1/nodes/b1/status",
               R"({"status":{"conditions":[{"type":"MemoryPressure","status":"False",
                   "lastHeartbeatTime":"2026-11-01T12:00:09Z"}]}})");
  scene_.settle();
  EXPECT_EQ(scene_.counted(Count::kRankings), rankings);
  EXPECT_EQ(cost("p2"), "-1");
  scene_.patch("/api/v1/nodes/b1",
               R"({"metadata":{"labels":{"topology.kubernetes.io/zone":"a"}}})");
  scene_.settle();
  EXPECT_EQ(cost("p2"), "-2");
}

TEST_F(RankerTest, OnePodRanksItsOwnGroupAndNoOther) {
  zones();
  scene_.create_set("api", 3);
  pod("p1", "a1");
  scene_.create_pod("q1", {.app = "api", .owner = "api", .node = "a1"});
  policy("PodDeletionCost");
  scene_.request(model::Method::kPost, fmt::format("{}/downscalepolicies", kOurs),
                 fmt::format(R"({{"apiVersion":"ebb.dev/v1alpha1","kind":"DownscalePolicy",
                     "metadata":{{"name":"other"}},"spec":{{"targetRef":{{"kind":"ReplicaSet",
                     "name":"api"}},"ranking":{{"strategies":{},"publish":"PodDeletionCost"}}}}}})",
                             kSpread),
                 201);
  scene_.settle();
  const auto rankings = scene_.counted(Count::kRankings);
  scene_.make_ready("p1");
  scene_.pass_time(2 * kSecond);
  scene_.settle_but_for_timers();
  EXPECT_EQ(scene_.counted(Count::kRankings), rankings + 1);
}

TEST_F(RankerTest, GathersChangesForASecondAfterAWrite) {
  zones();
  pod("p1", "a1");
  policy("PodDeletionCost");
  scene_.settle_but_for_timers();
  EXPECT_EQ(sent("PATCH"), 1U);  // at once: it was quiet
  for (const std::string_view name : {"p2", "p3", "p4"}) {
    pod(name, "a1");
    scene_.settle_but_for_timers();
    scene_.pass_time(kSecond / 10);
  }
  EXPECT_EQ(sent("PATCH"), 1U);
  const auto rankings = scene_.counted(Count::kRankings);
  scene_.pass_time(kSecond);
  EXPECT_EQ(scene_.counted(Count::kRankings), rankings + 1);
  EXPECT_EQ(sent("PATCH"), 4U);
}

TEST_F(RankerTest, SendsOnlySoManyAtATime) {
  zones();
  for (int i = 0; i < 100; ++i) pod(fmt::format("p{}", i), i % 2 == 0 ? "a1" : "b1");
  policy("PodDeletionCost");
  scene_.see_all();
  scene_.run();
  EXPECT_EQ(scene_.calls().size(), 32U);
  for (const std::string& call : scene_.calls()) {
    EXPECT_EQ(scene_.call(call).kind, Call::Kind::kPatientWrite);
  }
  scene_.settle();
  EXPECT_EQ(sent("PATCH"), 100U);
  EXPECT_EQ(cost("p99"), "-50");
}

TEST_F(RankerTest, WhatIsUnderWayOrUnseenIsNotWrittenAgain) {
  zones();
  pod("p1", "a1");
  pod("p2", "a1");
  policy("PodDeletionCost");
  scene_.see_all();
  scene_.run();
  ASSERT_EQ(sent("PATCH"), 2U);
  scene_.pass_time(3 * kSecond);
  EXPECT_EQ(sent("PATCH"), 2U);
  scene_.carry_out("PATCH");
  scene_.pass_time(3 * kSecond);
  EXPECT_EQ(sent("PATCH"), 2U);
  scene_.settle();
  EXPECT_EQ(sent("PATCH"), 2U);
}

TEST_F(RankerTest, AnUnknownOutcomeIsRepeatedAndDoesNoHarm) {
  zones();
  pod("p1", "a1");
  policy("PodDeletionCost");
  scene_.see_all();
  scene_.run();
  scene_.lose_after("PATCH");
  scene_.settle();
  EXPECT_EQ(cost("p1"), "-1");
  pod("p2", "a1");
  scene_.see_all();
  scene_.pass_time(2 * kSecond);
  scene_.lose_before("PATCH");
  scene_.settle();
  EXPECT_EQ(cost("p2"), "-2");
}

TEST_F(RankerTest, APodOfTheSameNameIsNeverMeant) {
  zones();
  pod("p1", "a1");
  pod("p2", "a1");
  policy("PodDeletionCost");
  scene_.see_all();
  scene_.run();
  scene_.delete_pod("p2");
  scene_.create_pod("p2", {.node = "b1"});
  scene_.carry_out("PATCH pods/p2");
  EXPECT_EQ(cost("p2"), "");
  scene_.settle();
  EXPECT_EQ(cost("p2"), "-1");
}

TEST_F(RankerTest, WhatIsNotRightAnyMoreIsNotSent) {
  zones();
  pod("p1", "a1");
  policy("PodDeletionCost");
  scene_.see_all();
  scene_.run();
  scene_.patch(pod_path("p1"), R"({"metadata":{"labels":{"more":"yes"}}})");
  scene_.see_all();
  scene_.withdraw_unwanted();
  EXPECT_EQ(scene_.calls(), Names());
  scene_.settle();
  EXPECT_EQ(cost("p1"), "-1");
}

TEST_F(RankerTest, TellsThatWritesAreRefusedAndTriesLessAndLess) {
  zones();
  pod("p1", "a1");
  policy("PodDeletionCost");
  scene_.see_all();
  scene_.run();
  std::size_t tries = 0;
  for (int i = 0; i < 60; ++i) {
    if (!scene_.calls().empty()) {
      ++tries;
      scene_.refuse("PATCH", 403, "pods is forbidden");
    }
    scene_.pass_time(kSecond);
  }
  EXPECT_GT(tries, 3U);
  EXPECT_LT(tries, 12U);
  EXPECT_EQ(report().reason, "WritesRefused");
  EXPECT_NE(report().problem.find("pods is forbidden"), std::string::npos);
  scene_.settle();
  EXPECT_EQ(cost("p1"), "-1");
  EXPECT_EQ(report().reason, "");
}

TEST_F(RankerTest, NoticesThatAServerHasNoStatusFieldByOnePod) {
  zones();
  pod("p1", "a1");
  pod("p2", "a1");
  policy("StatusField");
  scene_.see_all();
  scene_.run();
  ASSERT_EQ(scene_.calls().size(), 1U);
  // As a stock server does: the annotation is kept, and the field is dropped.
  const std::string tried = scene_.calls().front().substr(std::string("PATCH pods/").size(), 2);
  scene_.patch(pod_path(tried), R"({"metadata":{"annotations":{"ebb.dev/published-cost":"1"}}})");
  scene_.answer_with("PATCH", boost::json::serialize(scene_.get(pod_path(tried))));
  scene_.settle();
  EXPECT_EQ(report().reason, "NoStatusField");
  EXPECT_EQ(sent("PATCH pods/p1/status") + sent("PATCH pods/p2/status"), 1U);
  EXPECT_EQ(annotation("p1", kCompanion) + annotation("p2", kCompanion), "");
}

TEST_F(RankerTest, TellsThatThereIsNothingToRank) {
  policy("PodDeletionCost");
  scene_.settle();
  EXPECT_EQ(report().pods, 0U);
  const auto* const found = shared_reports()->of({.namespace_name = "shop", .name = "mine"});
  ASSERT_NE(found, nullptr);
  EXPECT_TRUE(found->ranked.has_value());
}

TEST_F(RankerTest, AReplicaSetThatIsBeingDeletedIsLeftAlone) {
  zones();
  pod("p1", "a1");
  scene_.request(model::Method::kPatch, "/apis/apps/v1/namespaces/shop/replicasets/web",
                 R"({"metadata":{"finalizers":["test.example/wait"]}})", 200);
  scene_.request(model::Method::kDelete, "/apis/apps/v1/namespaces/shop/replicasets/web", "{}",
                 200);
  policy("PodDeletionCost");
  scene_.settle();
  EXPECT_EQ(scene_.history, Names());
}

}  // namespace
}  // namespace ebb::control
