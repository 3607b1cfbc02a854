#include "control/ranker.h"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/agenda.h"
#include "ranking/publication.h"
#include "schema/json.h"
#include "support/controller_scene.h"
#include "support/pods.h"

namespace ebb::control {
namespace {

using testing::ControllerScene;
using testing::kSecond;
using Names = std::vector<std::string>;

constexpr std::string_view kPods = "/api/v1/namespaces/shop/pods";
constexpr std::string_view kOurs = "/apis/ebb.dev/v1alpha1/namespaces/shop";
constexpr std::string_view kCost = "controller.kubernetes.io/pod-deletion-cost";
constexpr std::string_view kCompanion = "ebb.dev/published-cost";
constexpr std::string_view kSpread =
    R"([{"name":"TopologySpread","args":{"topologyKey":"topology.kubernetes.io/zone"}}])";

// A scene is made with a plain function, so what they share has to lie here.
std::shared_ptr<PolicyReports>& shared_reports() {
  static std::shared_ptr<PolicyReports> reports;
  return reports;
}

std::unique_ptr<Controller> make_controller(ControllerContext context, Safeguards /*safeguards*/) {
  return make_ranker(context, shared_reports());
}

class RankerTest : public ::testing::Test {
 protected:
  void node(std::string_view name, std::string_view zone) {
    scene_.request(model::Method::kPost, "/api/v1/nodes",
                   fmt::format(R"({{"apiVersion":"v1","kind":"Node","metadata":{{"name":"{}",
                       "labels":{{"topology.kubernetes.io/zone":"{}"}}}},"spec":{{}}}})",
                               name, zone),
                   201);
  }
  void policy(std::string_view publish, std::string_view strategies = kSpread,
              std::string_view name = "mine", std::string_view more = "") {
    scene_.request(model::Method::kPost, fmt::format("{}/downscalepolicies", kOurs),
                   fmt::format(R"({{"apiVersion":"ebb.dev/v1alpha1","kind":"DownscalePolicy",
                       "metadata":{{"name":"{}"}},"spec":{{"targetRef":{{"kind":"ReplicaSet",
                       "name":"web"}},"ranking":{{"strategies":{},"publish":"{}"{}}}}}}})",
                               name, strategies, publish, more),
                   201);
  }
  std::string policy_path() { return fmt::format("{}/downscalepolicies/mine", kOurs); }
  std::string cost_path() { return fmt::format("{}/podgroupcosts/web", kOurs); }
  static std::string pod_path(std::string_view name) { return fmt::format("{}/{}", kPods, name); }
  // Two zones, and pods that are a second apart in age.
  void zones() {
    node("a1", "a");
    node("b1", "b");
    scene_.create_set("web", 3);
  }
  void pod(std::string_view name, std::string_view node, std::string_view annotations = "{}") {
    scene_.now.wall = later_by(scene_.now.wall, kSecond);
    scene_.create_pod(name, {.node = node, .annotations = annotations});
  }
  std::string annotation(std::string_view pod, std::string_view key) {
    return std::string(
        schema::text_at(scene_.get(pod_path(pod)), {"metadata", "annotations", key}));
  }
  std::string cost(std::string_view pod) { return annotation(pod, kCost); }
  // `web-a 1, web-b 2`
  std::string group_costs() {
    const auto object = scene_.get(cost_path());
    const auto* const costs = schema::object_at(object, {"spec", "costs"});
    std::map<std::string, std::string> sorted;
    if (costs != nullptr) {
      for (const auto& one : *costs) sorted[one.key()] = boost::json::serialize(one.value());
    }
    std::string text;
    for (const auto& [name, value] : sorted) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, value);
    }
    return text;
  }
  const PolicyReports::Ranked& report() {
    static const PolicyReports::Ranked kNone;
    const auto* const found = shared_reports()->of({.namespace_name = "shop", .name = "mine"});
    return found == nullptr || !found->ranked ? kNone : *found->ranked;
  }
  std::size_t sent(std::string_view beginning) {
    return static_cast<std::size_t>(
        std::count_if(scene_.history.begin(), scene_.history.end(),
                      [&](const std::string& one) { return one.starts_with(beginning); }));
  }

  ControllerScene scene_ = [] {
    shared_reports() = std::make_shared<PolicyReports>();
    return ControllerScene(make_controller);
  }();
};

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
  EXPECT_EQ(annotation("p2", kCompanion), "-2");
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

TEST_F(RankerTest, WritesOnlyWhatAChangeOfOrderAsksFor) {
  zones();
  pod("p1", "a1");
  pod("p2", "a1");
  pod("p3", "b1");
  policy("PodDeletionCost");
  scene_.settle();
  scene_.history.clear();
  // The second in its zone, as p2 is in the other; nobody else's rank changes.
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

TEST_F(RankerTest, NeverTouchesAValueOfSomebodyElse) {
  zones();
  pod("p1", "a1", R"({"controller.kubernetes.io/pod-deletion-cost":"100"})");
  pod("p2", "a1");
  policy("PodDeletionCost");
  scene_.settle();
  EXPECT_EQ(cost("p1"), "100");
  EXPECT_EQ(annotation("p1", kCompanion), "");
  EXPECT_EQ(report().reason, "ForeignValues");
  EXPECT_EQ(report().pods, 1U);
  // Somebody takes one of ours over.
  scene_.patch(pod_path("p2"),
               R"({"metadata":{"annotations":{"controller.kubernetes.io/pod-deletion-cost":"9"}}})");
  scene_.settle();
  EXPECT_EQ(cost("p2"), "9");
  // And what it set while our write was on its way stays as well.
  pod("p3", "b1");
  scene_.see_all();
  scene_.run();
  scene_.patch(pod_path("p3"),
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
    scene_.patch(policy_path(), fmt::format(R"({{"spec":{{"ranking":{{"publish":"{}"}}}}}})", where));
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
  EXPECT_EQ(scene_.history,
            (Names{"PATCH podgroupcosts/web", "PATCH podgroupcosts/web/status"}));
  EXPECT_EQ(group_costs().find("p2"), std::string::npos);
}

TEST_F(RankerTest, LeavesAPodGroupCostAloneThatItDidNotMake) {
  zones();
  scene_.request(model::Method::kPost, fmt::format("{}/podgroupcosts", kOurs),
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
  scene_.patch("/api/v1/nodes/b1", R"({"metadata":{"labels":{"topology.kubernetes.io/zone":"a"}}})");
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
  scene_.make_ready("p1");
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
  scene_.request(model::Method::kDelete, "/apis/apps/v1/namespaces/shop/replicasets/web", "{}", 200);
  policy("PodDeletionCost");
  scene_.settle();
  EXPECT_EQ(scene_.history, Names());
}

}  // namespace
}  // namespace ebb::control
