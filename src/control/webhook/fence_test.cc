// The fence in the webhook controller, on a real API server.
#include "control/webhook/fence.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/control/review_scene.h"
#include "support/objects/pods.h"

namespace ebb::control {
namespace {

using testing::kPicker;
using testing::kReplicaSetController;
using testing::kSecond;
using testing::ReviewScene;
using Names = std::vector<std::string>;

class FenceTest : public ::testing::Test {
 protected:
  ReviewScene scene_;
};

TEST_F(FenceTest, RefusesDeletesOfOtherPodsUntilTheWindowIsOver) {
  scene_.begin({"a", "b", "c"}, kPicker);
  (void)scene_.review({.to = 2});
  scene_.picker_answers({"b"});
  scene_.write_costs();
  scene_.scale("web", 2);
  EXPECT_EQ(scene_.answer(scene_.review_delete("a")), "refused");
  // As kube-apiserver sends it.
  EXPECT_EQ(scene_.answer(
                scene_.review_delete("a", kReplicaSetController, R"({"gracePeriodSeconds":30})")),
            "refused");
  EXPECT_EQ(scene_.answer(scene_.review_delete("a", "someone")), "allowed");
  EXPECT_EQ(scene_.answer(
                scene_.review_delete("a", kReplicaSetController, R"({"gracePeriodSeconds":0})")),
            "allowed");
  EXPECT_EQ(scene_.answer(scene_.review_delete("b")), "allowed");
  EXPECT_EQ(scene_.count_calls("GET"), 0U);
  scene_.pass_time(5 * kSecond);
  // No list shows a newer decision.
  const ReviewId late = scene_.review_delete("c");
  EXPECT_EQ(scene_.answer(late), "");
  scene_.carry_out("GET pods");
  EXPECT_EQ(scene_.answer(late), "allowed");
}

TEST_F(FenceTest, LearnsTheDecisionOfAnotherReplicaFromAList) {
  scene_.begin({"a", "b", "c"}, kPicker);
  (void)scene_.review({.to = 2});
  scene_.picker_answers({"b"});
  scene_.write_costs();
  // This replica is another one, and its watches are late.
  const auto unseen = scene_.unseen();
  ASSERT_GT(unseen, 0U);
  ReviewScene other;
  other.begin({"a", "b", "c"}, kPicker);
  const std::string mark = scene_.annotation("b", "ebb.dev/scale-down");
  other.patch("/api/v1/namespaces/shop/pods/b",
              fmt::format(R"({{"metadata":{{"annotations":{{"ebb.dev/scale-down":"{}",
                              "controller.kubernetes.io/pod-deletion-cost":"{}"}}}}}})",
                          mark, scene_.cost("b")));
  const ReviewId first = other.review_delete("a");
  const ReviewId second = other.review_delete("c");
  const ReviewId third = other.review_delete("a");
  EXPECT_EQ(other.answer(first), "");
  EXPECT_EQ(other.count_calls("GET pods"), 1U);
  other.carry_out("GET pods");
  EXPECT_EQ(other.answer(first), "refused");
  // These arrived after the list was sent, so it may be too old for them.
  EXPECT_EQ(other.answer(second), "");
  EXPECT_EQ(other.count_calls("GET pods"), 1U);
  other.carry_out("GET pods");
  EXPECT_EQ(other.answer(second), "refused");
  EXPECT_EQ(other.answer(third), "refused");
  EXPECT_EQ(other.answer(other.review_delete("b")), "allowed");
  EXPECT_EQ(other.count_calls("GET pods"), 0U);
}

TEST_F(FenceTest, LearnsTheDecisionOfAnotherReplicaFromAMark) {
  scene_.begin({"a", "b", "c"});
  scene_.patch("/api/v1/namespaces/shop/pods/b",
               R"({"metadata":{"annotations":{"ebb.dev/scale-down":"d 2 -1000000009",
                   "controller.kubernetes.io/pod-deletion-cost":"-1000000009"}}})");
  scene_.see_all();
  EXPECT_EQ(scene_.answer(scene_.review_delete("a")), "refused");
  EXPECT_EQ(scene_.calls(), Names{});
}

TEST_F(FenceTest, LooksForFurtherVictimsOfADecisionOfAnotherReplica) {
  const auto mark = [this](std::string_view pod) {
    scene_.patch(fmt::format("/api/v1/namespaces/shop/pods/{}", pod),
                 R"({"metadata":{"annotations":{"ebb.dev/scale-down":"d 2 -1000000009",
                     "controller.kubernetes.io/pod-deletion-cost":"-1000000009"}}})");
  };
  scene_.begin({"a", "b", "c", "d"});
  mark("c");
  scene_.scale("web", 2);
  scene_.see_all();
  mark("d");
  // As far as the watch shows, three pods were not chosen, and two are to stay.
  const ReviewId id = scene_.review_delete("a");
  EXPECT_EQ(scene_.answer(id), "");
  scene_.carry_out("GET pods");
  EXPECT_EQ(scene_.answer(id), "refused");
  EXPECT_EQ(scene_.answer(scene_.review_delete("c")), "allowed");
  EXPECT_EQ(scene_.answer(scene_.review_delete("d")), "allowed");
}

TEST_F(FenceTest, ListsAgainAfterANewDecisionOrSizeWasSeen) {
  scene_.begin({"a", "b", "c", "d"});
  const ReviewId first = scene_.review_delete("a");
  // While the list is in flight, which is answered for what was known before.
  scene_.scale("web", 2);
  scene_.see_all();
  scene_.carry_out("GET pods");
  EXPECT_EQ(scene_.answer(first), "allowed");
  const ReviewId second = scene_.review_delete("b");
  EXPECT_EQ(scene_.answer(second), "");
  scene_.carry_out("GET pods");
  EXPECT_EQ(scene_.answer(second), "allowed");
  EXPECT_EQ(scene_.answer(scene_.review_delete("c")), "allowed");
  scene_.patch("/api/v1/namespaces/shop/pods/d",
               R"({"metadata":{"annotations":{"ebb.dev/scale-down":"x 1 -1000000009",
                   "controller.kubernetes.io/pod-deletion-cost":"-1000000009"}}})");
  scene_.create_pod("e");
  scene_.create_pod("f");
  scene_.see_all();
  EXPECT_EQ(scene_.answer(scene_.review_delete("e")), "");
}

TEST_F(FenceTest, DoesNotWaitLongForAList) {
  scene_.begin({"a", "b", "c"});
  const ReviewId id = scene_.review_delete("a");
  EXPECT_EQ(scene_.answer(id), "");
  scene_.pass_time(300 * kMillisecond - 1);
  EXPECT_EQ(scene_.answer(id), "");
  scene_.pass_time(1);
  EXPECT_EQ(scene_.answer(id), "allowed");
  scene_.lose_before("GET pods");
  // Nothing is learned from a list that failed.
  const ReviewId again = scene_.review_delete("a");
  EXPECT_EQ(scene_.answer(again), "");
  scene_.carry_out("GET pods");
  EXPECT_EQ(scene_.answer(again), "allowed");
  EXPECT_EQ(scene_.answer(scene_.review_delete("b")), "allowed");
}

TEST_F(FenceTest, CountsDeletesThatItHasAllowed) {
  // Four pods are there, of which one was chosen and two are to stay.
  scene_.begin({"a", "b", "c", "d"});
  scene_.patch("/api/v1/namespaces/shop/pods/d",
               R"({"metadata":{"annotations":{"ebb.dev/scale-down":"x 2 -1000000009",
                   "controller.kubernetes.io/pod-deletion-cost":"-1000000009"}}})");
  scene_.scale("web", 2);
  scene_.see_all();
  const ReviewId first = scene_.review_delete("a");
  scene_.carry_out("GET pods");
  EXPECT_EQ(scene_.answer(first), "allowed");
  EXPECT_EQ(scene_.answer(scene_.review_delete("b")), "refused");
  EXPECT_EQ(scene_.answer(scene_.review_delete("a")), "allowed");
}

TEST_F(FenceTest, RefusesNoDeletesIfThePolicyChangesToShadowMode) {
  scene_.begin({"a", "b", "c"}, kPicker);
  (void)scene_.review({.to = 2});
  scene_.picker_answers({"b"});
  scene_.write_costs();
  scene_.scale("web", 2);
  EXPECT_EQ(scene_.answer(scene_.review_delete("a")), "refused");
  scene_.patch("/apis/ebb.dev/v1alpha1/namespaces/shop/downscalepolicies/p",
               R"({"spec":{"mode":"Shadow"}})");
  scene_.see_all();
  EXPECT_EQ(scene_.answer(scene_.review_delete("a")), "allowed");
}

}  // namespace
}  // namespace ebb::control
