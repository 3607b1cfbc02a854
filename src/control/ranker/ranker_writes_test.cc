// The writes of the ranker when they are slow, lost or refused.
#include "support/control/ranker_scene.h"

namespace ebb::control {
namespace {

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

// A pod without a cost has 0, and those with one go before it.
TEST_F(RankerTest, AScaleDownBetweenTwoWritesFindsTheZonesBalanced) {
  zones();
  for (int i = 0; i < 40; ++i) pod(fmt::format("p{:02}", i), i < 20 ? "a1" : "b1");
  policy("PodDeletionCost");
  scene_.see_all();
  scene_.run();
  for (int written = 0; written < 40; ++written) {
    ASSERT_FALSE(scene_.calls().empty());
    scene_.carry_out_first("PATCH");
    int more_in_a = 0;
    for (int i = 0; i < 40; ++i) {
      if (!cost(fmt::format("p{:02}", i)).empty()) more_in_a += i < 20 ? 1 : -1;
    }
    EXPECT_LE(std::abs(more_in_a), 1) << written;
  }
  EXPECT_EQ(cost("p39"), "-20");
}

TEST_F(RankerTest, RemovesCostsFirstFromThePodsThatGoLast) {
  zones();
  for (const char* name : {"p1", "p2", "p3"}) pod(name, "a1");
  policy("PodDeletionCost");
  scene_.settle();
  ASSERT_EQ(cost("p3"), "-3");
  scene_.request(model::Method::kDelete, policy_path(), "", 200);
  scene_.see_all();
  scene_.run();
  for (const char* name : {"p1", "p2", "p3"}) {
    EXPECT_NE(cost(name), "");
    scene_.carry_out_first("PATCH");
    EXPECT_EQ(cost(name), "");
  }
}

TEST_F(RankerTest, DoesNotRepeatWritesThatAreInFlightOrUnseen) {
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

TEST_F(RankerTest, DoesNotSendOutdatedWrites) {
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

TEST_F(RankerTest, ReportsRefusedWritesAndBacksOff) {
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

// Another client deletes the only pod that a refused write was for.
TEST_F(RankerTest, ARefusalIsForgottenOnceNothingIsLeftToWrite) {
  zones();
  pod("p1", "a1");
  policy("PodDeletionCost");
  scene_.settle();
  pod("p2", "a1");
  scene_.see_all();
  scene_.pass_time(2 * kSecond);
  ASSERT_EQ(scene_.count_calls("PATCH pods/p2"), 1U);
  scene_.refuse("PATCH", 429, "too many requests");
  EXPECT_EQ(report().pods, 2U);
  scene_.delete_pod("p2");
  scene_.settle();
  EXPECT_EQ(report().pods, 1U);
  EXPECT_EQ(report().reason, "");
}

class StatusFieldTest : public RankerTest {
 protected:
  std::size_t tries() { return sent("PATCH pods/p1/status") + sent("PATCH pods/p2/status"); }
  std::string companions() { return annotation("p1", kCompanion) + annotation("p2", kCompanion); }
  // As a stock server does: the annotation is kept, and the field is dropped.
  void drop_the_field() {
    scene_.see_all();
    scene_.run();
    ASSERT_EQ(scene_.calls().size(), 1U);
    const std::string tried = scene_.calls().front().substr(std::string("PATCH pods/").size(), 2);
    scene_.patch(pod_path(tried),
                 R"({"metadata":{"annotations":{"ebb.dev/published-cost":"StatusField=1"}}})");
    scene_.answer_with("PATCH", boost::json::serialize(scene_.get(pod_path(tried))));
    scene_.settle();
  }
  void begin() {
    zones();
    pod("p1", "a1");
    pod("p2", "a1");
    policy("StatusField");
    drop_the_field();
  }
};

TEST_F(StatusFieldTest, ThatAServerDoesNotHaveIsNoticedByOnePod) {
  begin();
  EXPECT_EQ(report().reason, "NoStatusField");
  EXPECT_EQ(tries(), 1U);
  EXPECT_EQ(companions(), "");
}

// The server may have been replaced.
TEST_F(StatusFieldTest, ThatWasMissingIsTriedAgainAfterAnHour) {
  begin();
  scene_.pass_time(3590 * kSecond);
  EXPECT_EQ(tries(), 1U);
  scene_.pass_time(10 * kSecond);
  EXPECT_EQ(report().reason, "NoStatusField");  // not checked again yet
  drop_the_field();
  EXPECT_EQ(report().reason, "NoStatusField");
  EXPECT_EQ(tries(), 2U);
  EXPECT_EQ(companions(), "");
  scene_.pass_time(3600 * kSecond);
  scene_.settle();
  EXPECT_EQ(tries(), 4U);
  EXPECT_EQ(report().reason, "");
  EXPECT_EQ(schema::integer_at(scene_.get(pod_path("p2")), {"status", "cost"}), 2);
}

TEST_F(StatusFieldTest, ThatWasMissingIsTriedAgainWhenAPolicyChanges) {
  begin();
  scene_.patch(policy_path(), R"({"spec":{"ranking":{"waitSeconds":1}}})");
  scene_.settle();
  EXPECT_EQ(report().reason, "");
  EXPECT_EQ(schema::integer_at(scene_.get(pod_path("p2")), {"status", "cost"}), 2);
}

TEST_F(RankerTest, LeavesCostsAloneThatTheWebhookHasLowered) {
  zones();
  for (const char* name : {"p1", "p2", "p3"}) pod(name, "a1");
  policy("PodDeletionCost");
  scene_.settle();
  ASSERT_EQ(cost("p2"), "-2");
  const std::string_view marked =
      R"({"metadata":{"annotations":{"controller.kubernetes.io/pod-deletion-cost":"-1000000009",
          "ebb.dev/scale-down":"d 2 -1000000009","ebb.dev/previous-deletion-cost":"-2"}}})";
  scene_.patch(pod_path("p2"), marked);
  scene_.settle();
  EXPECT_EQ(cost("p2"), "-1000000009");
  EXPECT_EQ(sent("PATCH"), 3U);
  // It counts with the value before, so the others keep theirs.
  EXPECT_EQ(cost("p1"), "-1");
  EXPECT_EQ(cost("p3"), "-3");
  // Not even when no policy asks for ranks any more.
  scene_.request(model::Method::kDelete, policy_path(), "", 200);
  scene_.settle();
  EXPECT_EQ(cost("p2"), "-1000000009");
  EXPECT_EQ(cost("p1"), "");
  // The webhook puts the value back; then it is the ranker's to remove.
  scene_.patch(pod_path("p2"),
               R"({"metadata":{"annotations":{"controller.kubernetes.io/pod-deletion-cost":"-2",
                   "ebb.dev/scale-down":null,"ebb.dev/previous-deletion-cost":null}}})");
  scene_.settle();
  EXPECT_EQ(cost("p2"), "");
}

}  // namespace
}  // namespace ebb::control
