// What the ranker ranks and when, and which values it leaves alone.
#include "support/control/ranker_scene.h"

namespace ebb::control {
namespace {

TEST_F(RankerTest, WritesDeletionCostsWithTheSignTurnedAndTheirCompanions) {
  zones();
  pod("p1", "a1");
  pod("p2", "a1");
  pod("p3", "b1");
  policy("PodDeletionCost");
  scene_.settle();
  EXPECT_EQ(cost("p1"), "-1");
  EXPECT_EQ(cost("p2"), "-2");
  EXPECT_EQ(cost("p3"), "-1");
  EXPECT_EQ(annotation("p2", kCompanion), "PodDeletionCost=-2");
  EXPECT_EQ(report().pods, 3U);
  EXPECT_EQ(report().replica_sets, 1U);
  EXPECT_EQ(report().reason, "");
}

TEST_F(RankerTest, WithoutAPolicyItWritesNothing) {
  zones();
  pod("p1", "a1");
  scene_.settle();
  EXPECT_EQ(scene_.history, Names());
}

TEST_F(RankerTest, PublishesNothingForAPolicyInShadowMode) {
  zones();
  pod("p1", "a1");
  pod("p2", "b1");
  policy("PodDeletionCost");
  scene_.settle();
  EXPECT_EQ(cost("p1"), "-1");
  scene_.patch(policy_path(), R"({"spec":{"mode":"Shadow"}})");
  scene_.settle();
  EXPECT_EQ(cost("p1"), "");
  EXPECT_EQ(annotation("p1", kCompanion), "");
  EXPECT_EQ(report().pods, 0U);
}

TEST_F(RankerTest, WritesOnlyWhatAChangeOfOrderAsksFor) {
  zones();
  pod("p1", "a1");
  pod("p2", "a1");
  pod("p3", "b1");
  policy("PodDeletionCost");
  scene_.settle();
  scene_.history.clear();
  // The second in its zone, as p2 is in the other; no other rank changes.
  pod("p4", "b1");
  scene_.settle();
  EXPECT_EQ(scene_.history, Names{"PATCH pods/p4"});
  EXPECT_EQ(cost("p4"), "-2");
  scene_.history.clear();
  scene_.make_ready("p4");
  scene_.settle();
  EXPECT_EQ(scene_.history, Names());
}

TEST_F(RankerTest, LeavesAPodAloneUntilItIsOnANode) {
  zones();
  pod("p1", "");
  policy("PodDeletionCost");
  scene_.settle();
  EXPECT_EQ(scene_.history, Names());
}

TEST_F(RankerTest, NeverTouchesAForeignValue) {
  zones();
  pod("p1", "a1", R"({"controller.kubernetes.io/pod-deletion-cost":"100"})");
  pod("p2", "a1");
  policy("PodDeletionCost");
  scene_.settle();
  EXPECT_EQ(cost("p1"), "100");
  EXPECT_EQ(annotation("p1", kCompanion), "");
  EXPECT_EQ(report().reason, "ForeignValues");
  EXPECT_EQ(report().pods, 1U);
  // Another client takes over one of the ranker's values.
  scene_.patch(
      pod_path("p2"),
      R"({"metadata":{"annotations":{"controller.kubernetes.io/pod-deletion-cost":"9"}}})");
  scene_.settle();
  EXPECT_EQ(cost("p2"), "9");
  // And what it set while our write was on its way stays as well.
  pod("p3", "b1");
  scene_.see_all();
  scene_.run();
  scene_.patch(
      pod_path("p3"),
      R"({"metadata":{"annotations":{"controller.kubernetes.io/pod-deletion-cost":"8"}}})");
  scene_.settle();
  EXPECT_EQ(cost("p3"), "8");
  EXPECT_EQ(report().pods, 0U);
  // They stay when the policy goes.
  scene_.request(model::Method::kDelete, policy_path(), "{}", 200);
  scene_.settle();
  EXPECT_EQ(cost("p1"), "100");
  EXPECT_EQ(cost("p2"), "9");
  EXPECT_EQ(annotation("p2", kCompanion), "");
}

TEST_F(RankerTest, CleansUpWhenThePolicyGoes) {
  zones();
  pod("p1", "a1");
  pod("p2", "a1");
  for (const std::string_view publish : {"PodDeletionCost", "Annotation", "StatusField"}) {
    SCOPED_TRACE(publish);
    policy(publish);
    scene_.settle();
    ASSERT_NE(annotation("p1", kCompanion), "");
    scene_.request(model::Method::kDelete, policy_path(), "{}", 200);
    scene_.settle();
    for (const std::string_view name : {"p1", "p2"}) {
      const auto object = scene_.get(pod_path(name));
      EXPECT_EQ(cost(name), "");
      EXPECT_EQ(annotation(name, kCompanion), "");
      EXPECT_EQ(annotation(name, "scheduling.alpha.kubernetes.io/cost"), "");
      EXPECT_EQ(schema::lookup(object, {"status", "cost"}), nullptr);
    }
  }
}

TEST_F(RankerTest, RanksTheReplicaSetsOfAnyKindOfOwner) {
  const auto owned_by = [](std::string_view api_version) {
    return fmt::format(R"({{"ownerReferences":[{{"apiVersion":"{}","kind":"Rollout","name":"shop",
                            "uid":"owner-uid","controller":true}}]}})",
                       api_version);
  };
  node("a1", "a");
  for (const char* set : {"web", "canary"}) {
    scene_.create_set(set, 1, "{}", owned_by("argoproj.io/v1alpha1"));
  }
  scene_.create_set("foreign", 1, "{}", owned_by("example.com/v1alpha1"));
  for (const char* set : {"web", "canary", "foreign"}) {
    scene_.create_pod(fmt::format("{}-1", set), {.app = set, .owner = set, .node = "a1"});
  }
  policy("PodDeletionCost", kSpread, "mine", "",
         R"({"apiVersion":"argoproj.io/v1alpha1","kind":"Rollout","name":"shop"})");
  scene_.settle();
  EXPECT_EQ(cost("web-1"), "-1");
  EXPECT_EQ(cost("canary-1"), "-1");
  EXPECT_EQ(cost("foreign-1"), "");
  EXPECT_EQ(report().pods, 2U);
  EXPECT_EQ(report().replica_sets, 2U);
  // The same kind and name in another group.
  scene_.patch(policy_path(),
               R"({"spec":{"targetRef":{"apiVersion":"example.com/v1","kind":"Rollout"}}})");
  scene_.settle();
  EXPECT_EQ(cost("web-1"), "");
  EXPECT_EQ(cost("canary-1"), "");
  EXPECT_EQ(cost("foreign-1"), "-1");
}

TEST_F(RankerTest, CleansUpAfterAPredecessor) {
  zones();
  pod("p1", "a1");
  policy("PodDeletionCost");
  scene_.settle();
  scene_.request(model::Method::kDelete, policy_path(), "{}", 200);
  scene_.restart();
  scene_.settle();
  EXPECT_EQ(cost("p1"), "");
}

TEST_F(RankerTest, APodThatWasReleasedLosesItsRank) {
  zones();
  pod("p1", "a1");
  policy("PodDeletionCost");
  scene_.settle();
  scene_.patch(pod_path("p1"), R"({"metadata":{"ownerReferences":null,"labels":{"app":"x"}}})");
  scene_.settle();
  EXPECT_EQ(cost("p1"), "");
}

TEST_F(RankerTest, MovesToWhateverThePolicyPublishesNow) {
  zones();
  pod("p1", "a1");
  pod("p2", "a1");
  policy("PodDeletionCost");
  scene_.settle();
  const auto publish = [&](std::string_view where) {
    scene_.patch(policy_path(),
                 fmt::format(R"({{"spec":{{"ranking":{{"publish":"{}"}}}}}})", where));
    scene_.settle();
  };
  publish("Annotation");
  EXPECT_EQ(cost("p2"), "");
  EXPECT_EQ(annotation("p2", "scheduling.alpha.kubernetes.io/cost"), "2");
  publish("StatusField");
  EXPECT_EQ(annotation("p2", "scheduling.alpha.kubernetes.io/cost"), "");
  EXPECT_EQ(schema::integer_at(scene_.get(pod_path("p2")), {"status", "cost"}), 2);
  publish("PodGroupCost");
  EXPECT_EQ(schema::lookup(scene_.get(pod_path("p2")), {"status", "cost"}), nullptr);
  EXPECT_EQ(annotation("p2", kCompanion), "");
  EXPECT_EQ(group_costs(), "p1 1, p2 2");
  publish("PodDeletionCost");
  EXPECT_EQ(group_costs(), "");
  EXPECT_EQ(cost("p2"), "-2");
}

// A finished pod is no longer ranked, and may keep an earlier rank.
TEST_F(RankerTest, PodsThatHaveEndedLoseTheirRanksToo) {
  zones();
  pod("p1", "a1");
  pod("p2", "a1");
  pod("p3", "a1");
  policy("Annotation");
  scene_.settle();
  const auto end = [&](std::string_view name) {
    scene_.patch(pod_path(name) + "/status", R"({"status":{"phase":"Failed"}})");
  };
  const auto publish = [&](std::string_view where) {
    scene_.patch(policy_path(),
                 fmt::format(R"({{"spec":{{"ranking":{{"publish":"{}"}}}}}})", where));
    scene_.settle();
  };
  EXPECT_NE(annotation("p1", kCompanion), "");
  end("p1");
  publish("PodGroupCost");
  EXPECT_EQ(annotation("p1", kCompanion), "");
  publish("Annotation");
  EXPECT_NE(annotation("p3", kCompanion), "");
  // No pod is left to rank.
  end("p2");
  end("p3");
  publish("PodGroupCost");
  EXPECT_EQ(annotation("p3", kCompanion), "");
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

TEST_F(RankerTest, ReportsThatThereIsNothingToRank) {
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
