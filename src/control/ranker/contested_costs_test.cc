#include "control/ranker/contested_costs.h"

#include <gtest/gtest.h>

#include "support/control/ranker_scene.h"

namespace ebb::control {
namespace {

const Key kMine{.namespace_name = "shop", .name = "mine"};
const Key kOther{.namespace_name = "shop", .name = "other"};

Now at(Nanoseconds seconds) {
  return {.wall = later_by(testing::kNow, seconds * kSecond),
          .mono = Timestamp::from_seconds(1'000 + seconds)};
}

TEST(ContestedCosts, TheThirdRoundBeginsAPause) {
  ContestedCosts costs;
  EXPECT_FALSE(costs.changed(kMine, 4, at(0)));
  EXPECT_FALSE(costs.changed(kMine, 2, at(60)));
  EXPECT_EQ(costs.pause(kMine, at(60)), nullptr);
  EXPECT_TRUE(costs.changed(kMine, 1, at(120)));
  const auto* const pause = costs.pause(kMine, at(120));
  ASSERT_NE(pause, nullptr);
  EXPECT_EQ(pause->values, 7U);
  EXPECT_EQ(pause->until, at(120 + 1800).mono);
  EXPECT_EQ(pause->until_wall, at(120 + 1800).wall);
  EXPECT_EQ(costs.pause(kOther, at(120)), nullptr);
}

TEST(ContestedCosts, ChangesWithinTenSecondsAreOneRound) {
  ContestedCosts costs;
  for (int second = 0; second < 10; ++second) EXPECT_FALSE(costs.changed(kMine, 1, at(second)));
  for (int second = 10; second < 20; ++second) EXPECT_FALSE(costs.changed(kMine, 1, at(second)));
  EXPECT_TRUE(costs.changed(kMine, 1, at(20)));
}

TEST(ContestedCosts, RoundsThatAreFarApartDoNotBelongTogether) {
  ContestedCosts costs;
  EXPECT_FALSE(costs.changed(kMine, 9, at(0)));
  EXPECT_FALSE(costs.changed(kMine, 9, at(600)));
  EXPECT_FALSE(costs.changed(kMine, 1, at(1201)));
  EXPECT_FALSE(costs.changed(kMine, 1, at(1300)));
  EXPECT_TRUE(costs.changed(kMine, 1, at(1400)));
  EXPECT_EQ(costs.pause(kMine, at(1400))->values, 3U);
}

TEST(ContestedCosts, APauseIsNotProlongedAndIsFollowedByNewRounds) {
  ContestedCosts costs;
  for (const int second : {0, 20}) EXPECT_FALSE(costs.changed(kMine, 1, at(second)));
  EXPECT_TRUE(costs.changed(kMine, 1, at(40)));
  EXPECT_FALSE(costs.changed(kMine, 5, at(1000)));
  EXPECT_NE(costs.pause(kMine, at(40 + 1799)), nullptr);
  EXPECT_EQ(costs.pause(kMine, at(40 + 1800)), nullptr);
  for (const int second : {1900, 1920}) EXPECT_FALSE(costs.changed(kMine, 1, at(second)));
  EXPECT_TRUE(costs.changed(kMine, 1, at(1940)));
}

TEST(ContestedCosts, AForgottenPolicyMayBeWrittenForAgain) {
  ContestedCosts costs;
  for (const int second : {0, 20}) EXPECT_FALSE(costs.changed(kMine, 1, at(second)));
  EXPECT_TRUE(costs.changed(kMine, 1, at(40)));
  costs.forget(kMine);
  EXPECT_EQ(costs.pause(kMine, at(41)), nullptr);
  EXPECT_FALSE(costs.changed(kMine, 1, at(60)));
}

// The ranker against a program that changes its values.
class ContestedRankerTest : public RankerTest {
 protected:
  void begin(std::string_view publish = "PodDeletionCost") {
    zones();
    for (const char* name : {"p1", "p2", "p3"}) pod(name, "a1");
    policy(publish);
    scene_.settle();
    ASSERT_NE(annotation("p3", kCompanion), "");
  }
  // JSON: `"5"`, or `null` to remove it.
  void annotate(std::string_view pod, std::string_view key, std::string_view value) {
    scene_.patch(pod_path(pod),
                 fmt::format(R"({{"metadata":{{"annotations":{{"{}":{}}}}}}})", key, value));
  }
  void overwrite(std::string_view pod, std::string_view value) { annotate(pod, kCost, value); }
  // As many rounds as begin a pause, in which another program removes the cost of a pod.
  void contest() {
    for (unsigned round = 0; round < kContestedRounds; ++round) {
      ASSERT_NE(cost("p3"), "") << round;
      overwrite("p3", "null");
      scene_.settle();
      scene_.pass_time(60 * kSecond);
      scene_.settle();
    }
  }
};

TEST_F(ContestedRankerTest, StopsWritingWhenAnotherProgramKeepsRemovingCosts) {
  begin();
  contest();
  EXPECT_EQ(report().contest.reason, "WritesPaused");
  EXPECT_EQ(report().reason, "CostContested");
  EXPECT_EQ(report().pods, 0U);
  EXPECT_EQ(scene_.counted(Count::kCostContests), 1);
  for (const char* name : {"p1", "p2", "p3"}) {
    EXPECT_EQ(cost(name), "") << name;
    EXPECT_EQ(annotation(name, kCompanion), "") << name;
  }
  scene_.history.clear();
  pod("p4", "b1");
  scene_.settle();
  scene_.pass_time(1600 * kSecond);
  EXPECT_EQ(scene_.history, Names());
  // Then it tries again.
  scene_.pass_time(300 * kSecond);
  scene_.settle();
  EXPECT_EQ(report().contest.reason, "");
  EXPECT_EQ(report().reason, "");
  EXPECT_EQ(cost("p3"), "-3");
  EXPECT_EQ(cost("p4"), "-1");
}

// Karpenter overwrites the cost of every new pod.
TEST_F(ContestedRankerTest, StopsWritingWhenTheCostsOfNewPodsAreOverwrittenToo) {
  begin();
  for (int i = 4; i < 4 + static_cast<int>(kContestedRounds); ++i) {
    const std::string name = fmt::format("p{}", i);
    pod(name, "a1");
    scene_.settle();
    ASSERT_NE(cost(name), "");
    overwrite(name, R"("-7")");
    scene_.settle();
    scene_.pass_time(60 * kSecond);
  }
  EXPECT_EQ(report().contest.reason, "WritesPaused");
  EXPECT_EQ(cost("p1"), "");
  EXPECT_EQ(cost("p4"), "-7");
  pod("p9", "a1");
  scene_.settle();
  EXPECT_EQ(cost("p9"), "");
}

TEST_F(ContestedRankerTest, SaysWhatHappensAndWhatToDo) {
  begin();
  contest();
  const std::string& text = report().contest.message;
  EXPECT_NE(text.find("(3 values in 3 rounds)"), std::string::npos) << text;
  EXPECT_NE(text.find("PodDeletionCost"), std::string::npos) << text;
  EXPECT_NE(text.find("publish: PodGroupCost and deletionCost: Ignore"), std::string::npos) << text;
  EXPECT_NE(text.find("ebb webhook"), std::string::npos) << text;
}

TEST_F(ContestedRankerTest, WritesAgainAtOnceWhenThePolicyChanges) {
  begin();
  contest();
  ASSERT_EQ(report().contest.reason, "WritesPaused");
  scene_.patch(policy_path(), R"({"spec":{"ranking":{"waitSeconds":1}}})");
  scene_.settle();
  EXPECT_EQ(report().contest.reason, "");
  EXPECT_EQ(cost("p3"), "-3");
}

TEST_F(ContestedRankerTest, GoesOnWithPodGroupCosts) {
  begin();
  contest();
  scene_.patch(policy_path(), R"({"spec":{"ranking":{"publish":"PodGroupCost"}}})");
  scene_.settle();
  EXPECT_EQ(report().contest.reason, "");
  EXPECT_EQ(report().reason, "");
  EXPECT_EQ(group_costs(), "p1 1, p2 2, p3 3");
}

TEST_F(ContestedRankerTest, APauseEndsWithTheWorkload) {
  begin();
  contest();
  scene_.request(model::Method::kDelete, "/apis/apps/v1/namespaces/shop/replicasets/web",
                 R"({"propagationPolicy":"Background"})", 200);
  for (const char* name : {"p1", "p2", "p3"}) scene_.delete_pod(name);
  scene_.settle();
  scene_.create_set("web", 1);
  pod("p4", "a1");
  scene_.settle();
  EXPECT_EQ(cost("p4"), "-1");
}

TEST_F(ContestedRankerTest, ConcernsAllReplicaSetsOfThePolicyAndNoOtherPolicy) {
  const auto owned_by = [](std::string_view owner) {
    return fmt::format(R"({{"ownerReferences":[{{"apiVersion":"apps/v1","kind":"Deployment",
                            "name":"{}","uid":"{}-uid","controller":true}}]}})",
                       owner, owner);
  };
  node("a1", "a");
  scene_.create_set("web", 1, "{}", owned_by("shop"));
  scene_.create_set("web-old", 1, "{}", owned_by("shop"));
  scene_.create_set("api", 1, "{}", owned_by("api"));
  const std::map<std::string, std::string> pods = {
      {"p3", "web"}, {"old", "web-old"}, {"other", "api"}};
  for (const auto& [name, set] : pods) {
    scene_.create_pod(name, {.app = set, .owner = set, .node = "a1"});
  }
  policy("PodDeletionCost", kSpread, "mine", "", R"({"kind":"Deployment","name":"shop"})");
  policy("PodDeletionCost", kSpread, "other", "", R"({"kind":"Deployment","name":"api"})");
  scene_.settle();
  contest();
  EXPECT_EQ(report().contest.reason, "WritesPaused");
  EXPECT_EQ(cost("p3"), "");
  EXPECT_EQ(cost("old"), "");
  EXPECT_EQ(cost("other"), "-1");
  const auto* const other = shared_reports()->of({.namespace_name = "shop", .name = "other"});
  EXPECT_EQ(other->ranked->contest.reason, "");
  EXPECT_EQ(other->ranked->pods, 1U);
}

// Changes by hand, and in one go.
TEST_F(ContestedRankerTest, OneRoundIsNoContest) {
  begin();
  overwrite("p2", R"("50")");
  overwrite("p3", "null");
  scene_.settle();
  EXPECT_EQ(report().contest.reason, "");
  EXPECT_EQ(report().reason, "ForeignValues");
  EXPECT_EQ(cost("p2"), "50");
  EXPECT_EQ(cost("p3"), "-3");
}

TEST_F(ContestedRankerTest, SaysSoWhenNothingOfItsOwnIsLeft) {
  begin();
  for (const char* name : {"p1", "p2", "p3"}) overwrite(name, R"("7")");
  scene_.settle();
  EXPECT_EQ(report().contest.reason, "AllOverwritten");
  EXPECT_NE(report().contest.message.find("all 3 pods of ReplicaSet web"), std::string::npos);
  EXPECT_EQ(report().reason, "ForeignValues");
  scene_.pass_time(7200 * kSecond);
  EXPECT_EQ(report().contest.reason, "AllOverwritten");
  // It is not a pause: a new pod is ranked.
  pod("p4", "b1");
  scene_.settle();
  EXPECT_EQ(cost("p4"), "-1");
  EXPECT_EQ(report().contest.reason, "");
}

TEST_F(ContestedRankerTest, ValuesThatWereAlwaysForeignAreNotContested) {
  zones();
  pod("p1", "a1", R"({"controller.kubernetes.io/pod-deletion-cost":"100"})");
  policy("PodDeletionCost");
  scene_.settle();
  EXPECT_EQ(report().reason, "ForeignValues");
  EXPECT_EQ(report().contest.reason, "");
}

TEST_F(ContestedRankerTest, MarksOfTheWebhookAreItsOwn) {
  begin();
  for (int round = 0; round < 5; ++round) {
    const std::string before = cost("p3");
    ASSERT_EQ(before, "-3");
    const int lowered = -1000000009 - round;
    scene_.patch(pod_path("p3"), fmt::format(R"({{"metadata":{{"annotations":{{"{}":"{}",
                     "ebb.dev/scale-down":"d 2 {}","ebb.dev/previous-deletion-cost":"{}"}}}}}})",
                                             kCost, lowered, lowered, before));
    scene_.settle();
    scene_.pass_time(60 * kSecond);
    scene_.patch(pod_path("p3"), fmt::format(R"({{"metadata":{{"annotations":{{"{}":"{}",
                     "ebb.dev/scale-down":null,"ebb.dev/previous-deletion-cost":null}}}}}})",
                                             kCost, before));
    scene_.settle();
    scene_.pass_time(60 * kSecond);
  }
  EXPECT_EQ(report().contest.reason, "");
  EXPECT_EQ(report().reason, "");
  EXPECT_EQ(scene_.counted(Count::kCostContests), 0);
}

// Another program removes the companion together with the value.
TEST_F(ContestedRankerTest, NoticesRemovalsOfBothAnnotations) {
  begin();
  for (unsigned round = 0; round < kContestedRounds; ++round) {
    scene_.patch(pod_path("p3"),
                 fmt::format(R"({{"metadata":{{"annotations":{{"{}":null,"{}":null}}}}}})", kCost,
                             kCompanion));
    scene_.settle();
    scene_.pass_time(60 * kSecond);
  }
  EXPECT_EQ(report().contest.reason, "WritesPaused");
}

TEST_F(ContestedRankerTest, ItsOwnRemovalsDoNotCount) {
  zones();
  for (const char* name : {"p1", "p2", "p3"}) pod(name, "a1");
  for (int round = 0; round < 5; ++round) {
    policy("PodDeletionCost");
    scene_.settle();
    ASSERT_EQ(cost("p3"), "-3");
    scene_.request(model::Method::kDelete, policy_path(), "{}", 200);
    scene_.settle();
    scene_.pass_time(60 * kSecond);
  }
  EXPECT_EQ(scene_.counted(Count::kCostContests), 0);
}

TEST_F(ContestedRankerTest, AppliesToOtherCarriersOnPods) {
  begin("Annotation");
  for (unsigned round = 0; round < kContestedRounds; ++round) {
    annotate("p3", "scheduling.alpha.kubernetes.io/cost", "null");
    scene_.settle();
    scene_.pass_time(60 * kSecond);
    scene_.settle();
  }
  EXPECT_EQ(report().contest.reason, "WritesPaused");
  EXPECT_EQ(annotation("p1", "scheduling.alpha.kubernetes.io/cost"), "");
}

}  // namespace
}  // namespace ebb::control
