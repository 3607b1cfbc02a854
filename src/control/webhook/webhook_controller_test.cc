// What the webhook answers, writes and records, on a real API server.
#include "control/webhook/webhook_controller.h"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/deadline_queue.h"
#include "control/webhook/call_limits.h"
#include "support/control/review_scene.h"
#include "support/objects/pods.h"

namespace ebb::control {
namespace {

using testing::kDeploymentController;
using testing::kPicker;
using testing::kSecond;
using testing::ReviewScene;
using Names = std::vector<std::string>;

class WebhookControllerTest : public ::testing::Test {
 protected:
  // The API server stores the size, and the stock controller deletes these pods.
  void store_size(int size) { scene_.scale("web", size); }
  void remove(const Names& pods) {
    for (const std::string& pod : pods) scene_.delete_pod(pod);
  }

  ReviewScene scene_;
};

TEST_F(WebhookControllerTest, LowersTheCostsOfThePodsThatGoBeforeItAllowsTheSize) {
  scene_.begin({"a", "b", "c"});
  scene_.patch(
      "/api/v1/namespaces/shop/pods/b",
      R"({"metadata":{"annotations":{"controller.kubernetes.io/pod-deletion-cost":"-7"}}})");
  scene_.see_all();
  const ReviewId id = scene_.review({.to = 2});
  EXPECT_EQ(scene_.answer(id), "");
  EXPECT_EQ(scene_.calls(), Names{"PATCH pods/b"});
  scene_.write_costs();
  EXPECT_EQ(scene_.answer(id), "allowed");
  EXPECT_EQ(scene_.marked(), Names{"b"});
  EXPECT_EQ(scene_.annotation("b", "ebb.dev/previous-deletion-cost"), "-7");
  EXPECT_EQ(scene_.labelled["written"], 1);
  EXPECT_EQ(scene_.labelled["decided"], 1);
}

TEST_F(WebhookControllerTest, RecordsWhatReallyWent) {
  scene_.begin({"a", "b", "c"}, kPicker);
  const ReviewId id = scene_.review({.to = 1});
  ASSERT_EQ(scene_.picker_requests.size(), 1U);
  EXPECT_EQ(scene_.answer(id), "");
  scene_.picker_answers({"b", "c"});
  scene_.write_costs();
  EXPECT_EQ(scene_.answer(id), "allowed");
  EXPECT_EQ(scene_.marked(), (Names{"b", "c"}));
  store_size(1);
  // The stock controller chose another one for c.
  remove({"a", "b"});
  scene_.see_all();
  EXPECT_TRUE(scene_.decisions.empty());
  scene_.run();
  ASSERT_EQ(scene_.decisions.size(), 1U);
  const Decision& decision = scene_.decisions.front();
  EXPECT_EQ(decision.from, 3);
  EXPECT_EQ(decision.to, 1);
  ASSERT_EQ(decision.victims.size(), 2U);
  EXPECT_EQ(decision.victims[0].outcome,
            decision.victims[0].name == "b" ? "deleted" : "still there");
  EXPECT_EQ(decision.going(), 1U);
  ASSERT_TRUE(decision.picker);
  EXPECT_EQ(decision.picker->outcome, picker::Outcome::kAnswered);
  ASSERT_EQ(decision.consulted.size(), 1U);
  EXPECT_EQ(decision.consulted[0], "pods that were not chosen and went as well: a");
  EXPECT_EQ(scene_.labelled["as_chosen"], 1);
  EXPECT_EQ(scene_.labelled["other"], 1);
  EXPECT_EQ(scene_.messages("DownscaleDecision").size(), 1U);
}

TEST_F(WebhookControllerTest, AllowsAtOnceWhatItDoesNotDecide) {
  scene_.begin({"a", "b", "c"});
  scene_.create_set("other", 3);
  scene_.see_all();
  struct Case {
    ReviewScene::Resize resize;
    std::string_view outcome;
  };
  for (const Case& one :
       {Case{{.to = 2, .dry_run = true}, "dry run"}, Case{{.to = 3}, "not smaller"},
        Case{{.to = 5}, "not smaller"}, Case{{.to = 0}, "all go"},
        Case{{.to = 1, .set = "other"}, "no policy"}}) {
    const ReviewId id = scene_.review(one.resize);
    EXPECT_EQ(scene_.answer(id), "allowed") << one.outcome;
    EXPECT_EQ(scene_.labelled[std::string(one.outcome)] > 0, true) << one.outcome;
  }
  EXPECT_EQ(scene_.answer(scene_.send_review({{"operation", "CONNECT"}})), "allowed");
  EXPECT_EQ(scene_.answer(scene_.send_review({{"operation", "UPDATE"}}, false)), "allowed");
  scene_.controller().review(99, "nonsense", true, scene_.now);
  EXPECT_EQ(scene_.review_answers.at(99), "");
  EXPECT_TRUE(scene_.calls().empty());
}

TEST_F(WebhookControllerTest, LeavesPoliciesInShadowModeToOthers) {
  scene_.begin({"a", "b", "c"}, fmt::format(R"(,"mode":"Shadow"{})", testing::kUnpublished));
  EXPECT_EQ(scene_.answer(scene_.review({.to = 1})), "allowed");
  EXPECT_EQ(scene_.labelled["shadow"], 1);
  // The fence lists no pods either.
  EXPECT_EQ(scene_.answer(scene_.review_delete("a")), "allowed");
  EXPECT_EQ(scene_.labelled["unconcerned"], 1);
  EXPECT_TRUE(scene_.calls().empty());
}

TEST_F(WebhookControllerTest, LetsScaleDownsPassIfThePolicyChangesToShadowMode) {
  scene_.begin({"a", "b", "c"}, kPicker);
  const ReviewId id = scene_.review({.to = 2});
  EXPECT_EQ(scene_.picker_requests.size(), 1U);
  scene_.patch("/apis/ebb.dev/v1alpha1/namespaces/shop/downscalepolicies/p",
               R"({"spec":{"mode":"Shadow"}})");
  scene_.see_all();
  scene_.picker_answers({"b"});
  scene_.run();
  EXPECT_EQ(scene_.answer(id), "allowed");
  EXPECT_EQ(scene_.labelled["shadow"], 1);
  EXPECT_TRUE(scene_.calls().empty());
}

TEST_F(WebhookControllerTest, ReusesADecisionForARepeatedUpdate) {
  scene_.begin({"a", "b", "c"});
  const ReviewId first = scene_.review({.to = 2});
  const ReviewId second = scene_.review({.to = 2});
  EXPECT_EQ(scene_.count_calls("PATCH"), 1U);
  scene_.write_costs();
  EXPECT_EQ(scene_.answer(first), "allowed");
  EXPECT_EQ(scene_.answer(second), "allowed");
  scene_.see_all();
  const ReviewId third = scene_.review({.to = 2});
  EXPECT_EQ(scene_.answer(third), "allowed");
  EXPECT_EQ(scene_.count_calls("PATCH"), 0U);
  EXPECT_EQ(scene_.labelled["reused"], 1);
  scene_.pass_time(10 * kSecond);
  (void)scene_.review({.to = 2});
  EXPECT_EQ(scene_.count_calls("PATCH"), 1U);
}

TEST_F(WebhookControllerTest, DecidesAgainIfTheVictimsAreGoneAlready) {
  scene_.begin({"a", "b", "c"});
  (void)scene_.review({.to = 2});
  scene_.write_costs();
  store_size(2);
  const Names chosen = scene_.marked();
  remove(chosen);
  store_size(3);
  scene_.create_pod("d");
  scene_.see_all();
  scene_.run();
  (void)scene_.review({.to = 2});
  EXPECT_EQ(scene_.count_calls("PATCH"), 1U);
}

TEST_F(WebhookControllerTest, UndercutsTheCostsOfAnEarlierDecisionOfTheSameSecond) {
  scene_.begin({"a", "b", "c", "d"}, kPicker);
  (void)scene_.review({.to = 3});
  scene_.picker_answers({"a"});
  scene_.write_costs();
  scene_.see_all();
  (void)scene_.review({.to = 2});
  scene_.picker_answers({"b", "c"});
  scene_.write_costs();
  EXPECT_LT(std::stol(scene_.cost("b")), std::stol(scene_.cost("a")));
  EXPECT_EQ(scene_.cost("b"), scene_.cost("c"));
}

TEST_F(WebhookControllerTest, LetsASmallerSizeDecideForALargerOneThatIsNotDecidedYet) {
  scene_.begin({"a", "b", "c", "d"}, kPicker);
  const ReviewId larger = scene_.review({.to = 3});
  const ReviewId smaller = scene_.review({.to = 1});
  ASSERT_EQ(scene_.picker_requests.size(), 2U);
  EXPECT_EQ(scene_.withdrawn, std::vector<picker::CallId>{1});
  const ReviewId between = scene_.review({.to = 2});
  EXPECT_EQ(scene_.picker_requests.size(), 2U);
  scene_.picker_answers({"a", "b", "c"});
  scene_.write_costs();
  for (const ReviewId id : {larger, smaller, between}) EXPECT_EQ(scene_.answer(id), "allowed");
  EXPECT_EQ(scene_.marked(), (Names{"a", "b", "c"}));
}

TEST_F(WebhookControllerTest, DecidesWithoutASlowPickerForPeopleAndAutoscalers) {
  scene_.begin({"a", "b", "c"}, kPicker);
  const ReviewId id = scene_.review({.to = 1});
  scene_.pass_time(kSecond * 3 / 2 - 1);
  EXPECT_EQ(scene_.answer(id), "");
  EXPECT_EQ(scene_.count_calls("PATCH"), 0U);
  scene_.pass_time(1);
  EXPECT_EQ(scene_.withdrawn.size(), 1U);
  EXPECT_EQ(scene_.count_calls("PATCH"), 2U);
  scene_.write_costs();
  EXPECT_EQ(scene_.answer(id), "allowed");
  EXPECT_EQ(scene_.labelled["timeout"] > 0, true);
}

TEST_F(WebhookControllerTest, AllowsWhenTheBudgetIsOverAndRecordsWhatIsMissing) {
  scene_.begin({"a", "b", "c"});
  const ReviewId id = scene_.review({.to = 1});
  scene_.carry_out_first("PATCH");
  scene_.pass_time(2 * kSecond - 1);
  EXPECT_EQ(scene_.answer(id), "");
  scene_.pass_time(1);
  EXPECT_EQ(scene_.answer(id), "allowed");
  EXPECT_EQ(scene_.labelled["partly written"], 1);
  // What was not sent by now is not sent any more.
  scene_.withdraw_unwanted();
  EXPECT_TRUE(scene_.calls().empty());
  store_size(1);
  remove({"a", "b"});
  scene_.see_all();
  scene_.run();
  ASSERT_EQ(scene_.decisions.size(), 1U);
  EXPECT_EQ(scene_.decisions[0].consulted[0],
            "the deletion costs of 1 of the chosen pods could not be written in time; they were "
            "left to the order that was there");
}

TEST_F(WebhookControllerTest, WritesACostAgainIfAnotherClientChangedIt) {
  scene_.begin({"a", "b"});
  scene_.patch(
      "/api/v1/namespaces/shop/pods/b",
      R"({"metadata":{"annotations":{"controller.kubernetes.io/pod-deletion-cost":"-7"}}})");
  scene_.see_all();
  const ReviewId id = scene_.review({.to = 1});
  scene_.patch(
      "/api/v1/namespaces/shop/pods/b",
      R"({"metadata":{"annotations":{"controller.kubernetes.io/pod-deletion-cost":"-8"}}})");
  scene_.see_all();
  scene_.carry_out("PATCH");
  EXPECT_EQ(scene_.answer(id), "");
  scene_.carry_out("PATCH");
  EXPECT_EQ(scene_.answer(id), "allowed");
  EXPECT_EQ(scene_.annotation("b", "ebb.dev/previous-deletion-cost"), "-8");
}

// The Deployment controller.

constexpr ReviewScene::Resize by_deployment(int to, bool desired_changed = true) {
  return {.to = to,
          .user = kDeploymentController,
          .subresource = "",
          .desired_changed = desired_changed};
}

TEST_F(WebhookControllerTest, AsksTheDeploymentControllerToTryAgainAndKeepsTheAnswer) {
  scene_.begin({"a", "b", "c"}, kPicker);
  const ReviewId first = scene_.review(by_deployment(2));
  scene_.pass_time(kSecond * 3 / 2);
  EXPECT_EQ(scene_.answer(first), "refused");
  EXPECT_EQ(scene_.withdrawn.size(), 0U);
  scene_.pass_time(kSecond);
  scene_.picker_answers({"b"});
  EXPECT_EQ(scene_.count_calls("PATCH"), 0U);
  const ReviewId second = scene_.review(by_deployment(2));
  EXPECT_EQ(scene_.picker_requests.size(), 1U);
  scene_.write_costs();
  EXPECT_EQ(scene_.answer(second), "allowed");
  EXPECT_EQ(scene_.marked(), Names{"b"});
}

TEST_F(WebhookControllerTest, ForgetsAnAnswerThatIsNotFetched) {
  scene_.begin({"a", "b", "c"}, kPicker);
  (void)scene_.review(by_deployment(2));
  scene_.pass_time(kSecond * 3 / 2);
  scene_.picker_answers({"b"});
  scene_.pass_time(31 * kSecond);
  (void)scene_.review(by_deployment(2));
  EXPECT_EQ(scene_.picker_requests.size(), 2U);
}

// Ten ReplicaSets with a picker each.
class BusyDeploymentControllerTest : public WebhookControllerTest {
 protected:
  static constexpr int kSets = 10;

  void SetUp() override {
    for (int i = 0; i < kSets; ++i) {
      const std::string set = fmt::format("set-{}", i);
      scene_.create_set(set, 2);
      for (const char* pod : {"a", "b"}) {
        scene_.create_pod(fmt::format("{}-{}", set, pod), {.app = set, .owner = set});
      }
      scene_.request(model::Method::kPost,
                     "/apis/ebb.dev/v1alpha1/namespaces/shop/downscalepolicies",
                     fmt::format(R"({{"apiVersion":"ebb.dev/v1alpha1","kind":"DownscalePolicy",
                           "metadata":{{"name":"{0}"}},"spec":{{"targetRef":{{
                           "apiVersion":"apps/v1","kind":"ReplicaSet","name":"{0}"}}{1}}}}})",
                                 set, kPicker),
                     201);
    }
    scene_.see_all();
  }
  ReviewId scale_down(int number) {
    const std::string set = fmt::format("set-{}", number);
    ReviewScene::Resize resize = by_deployment(1);
    resize.set = set;
    return scene_.review(resize);
  }
  // How many reviews have this answer; empty: none yet.
  [[nodiscard]] std::int64_t count(const std::vector<ReviewId>& ids, std::string_view answer) {
    return std::count_if(ids.begin(), ids.end(),
                         [&](ReviewId id) { return scene_.answer(id) == answer; });
  }
};

TEST_F(BusyDeploymentControllerTest, IsHeldOnceAndForAMomentFourTimesAndRefusedTwiceASecond) {
  std::vector<ReviewId> ids;
  for (int i = 0; i < kSets; ++i) ids.push_back(scale_down(i));
  EXPECT_EQ(count(ids, ""), 5);
  EXPECT_EQ(count(ids, "refused"), 2);
  EXPECT_EQ(count(ids, "allowed"), 3);
  EXPECT_EQ(scene_.labelled["busy"], 6);  // once as a review, once as a decision
  // Pickers of calls that were let go are not needed.
  EXPECT_EQ(scene_.withdrawn.size() + 7, scene_.picker_requests.size());
  scene_.pass_time(CallLimits::kMomentNs);
  EXPECT_EQ(count(ids, ""), 1);
  EXPECT_EQ(count(ids, "refused"), 2);
  EXPECT_EQ(count(ids, "allowed"), 7);
  // These pickers are slow.
  ids = {scale_down(7), scale_down(8)};
  EXPECT_EQ(count(ids, ""), 0);
  scene_.pass_time(10 * kSecond);
  ids = {scale_down(7), scale_down(8)};
  EXPECT_EQ(count(ids, ""), 2);
}

TEST_F(BusyDeploymentControllerTest, LosesNoChoiceOfQuickPickers) {
  for (int i = 0; i < kSets; i += 5) {
    std::vector<ReviewId> ids;
    for (int at = i; at < i + 5; ++at) ids.push_back(scale_down(at));
    EXPECT_EQ(count(ids, ""), 5);
    scene_.pass_time(CallLimits::kMomentNs - 1);
    for (int at = i; at < i + 5; ++at) {
      const auto request = scene_.picker_requests.at(static_cast<std::size_t>(at)).id;
      scene_.controller().picker_replied(
          request,
          {.outcome = picker::Outcome::kAnswered,
           .answer = {.chosen = {fmt::format("set-{}-b", at)}, .tied = {}}},
          scene_.now);
    }
    scene_.write_costs();
    EXPECT_EQ(count(ids, "allowed"), 5);
  }
  EXPECT_EQ(scene_.labelled["busy"], 0);
  EXPECT_EQ(scene_.marked().size(), 10U);
}

TEST_F(WebhookControllerTest, NeverHoldsOrRefusesAStepOfARollout) {
  scene_.begin({"a", "b", "c"}, kPicker);
  const ReviewId id = scene_.review(by_deployment(2, false));
  EXPECT_EQ(scene_.answer(id), "allowed");
  EXPECT_TRUE(scene_.picker_requests.empty());
  EXPECT_TRUE(scene_.calls().empty());
  EXPECT_EQ(scene_.labelled["rollout"], 1);
}

TEST_F(WebhookControllerTest, NeverRefusesAPersonWhoScales) {
  scene_.begin({"a", "b", "c"}, kPicker);
  const ReviewId id =
      scene_.review({.to = 2, .user = kDeploymentController, .subresource = "scale"});
  scene_.pass_time(2 * kSecond);
  EXPECT_EQ(scene_.answer(id), "allowed");
}

TEST_F(WebhookControllerTest, EndsASessionWhoseReviewIsGone) {
  scene_.begin({"a", "b", "c"}, kPicker);
  const ReviewId id = scene_.review({.to = 2});
  scene_.controller().drop_review(id, scene_.now);
  scene_.pass_time(4 * kSecond);
  EXPECT_EQ(scene_.withdrawn.size(), 1U);
  EXPECT_EQ(scene_.answer(id), "");
  EXPECT_EQ(scene_.count_calls("PATCH"), 0U);
}

TEST_F(WebhookControllerTest, AnswersEverythingWhenItStops) {
  scene_.begin({"a", "b", "c"}, kPicker);
  const ReviewId id = scene_.review({.to = 2});
  scene_.controller().stop();
  EXPECT_EQ(scene_.answer(id), "allowed");
  EXPECT_EQ(scene_.withdrawn.size(), 1U);
  EXPECT_TRUE(scene_.controller().idle());
  EXPECT_EQ(scene_.answer(scene_.review({.to = 1})), "allowed");
}

// Cleaning up.

TEST_F(WebhookControllerTest, PutsTheCostBackOnAPodThatWasSpared) {
  scene_.begin({"a", "b", "c"}, kPicker);
  scene_.patch(
      "/api/v1/namespaces/shop/pods/b",
      R"({"metadata":{"annotations":{"controller.kubernetes.io/pod-deletion-cost":"-7"}}})");
  scene_.see_all();
  (void)scene_.review({.to = 1});
  scene_.picker_answers({"b", "c"});
  scene_.write_costs();
  store_size(1);
  remove({"a", "c"});
  scene_.see_all();
  scene_.pass_time(2 * kSecond);
  EXPECT_EQ(scene_.calls(), Names{"PATCH pods/b"});
  scene_.write_costs();
  EXPECT_EQ(scene_.cost("b"), "-7");
  EXPECT_EQ(scene_.annotation("b", "ebb.dev/scale-down"), "");
  EXPECT_EQ(scene_.counted(Count::kCostsRestored), 1);
  scene_.see_all();
  scene_.pass_time(60 * kSecond);
  EXPECT_TRUE(scene_.calls().empty());
}

TEST_F(WebhookControllerTest, PutsCostsBackAfterAQuickDownAndUp) {
  scene_.begin({"a", "b"});
  (void)scene_.review({.to = 1});
  scene_.write_costs();
  scene_.see_all();
  // The size was never stored, or raised again before anything happened.
  scene_.pass_time(29 * kSecond);
  EXPECT_TRUE(scene_.calls().empty());
  scene_.pass_time(3 * kSecond);
  scene_.write_costs();
  EXPECT_EQ(scene_.marked(), Names{});
  ASSERT_EQ(scene_.decisions.size(), 1U);
  EXPECT_EQ(scene_.decisions[0].going(), 0U);
}

TEST_F(WebhookControllerTest, RetriesToPutACostBack) {
  scene_.begin({"a", "b"});
  (void)scene_.review({.to = 1});
  scene_.write_costs();
  scene_.see_all();
  scene_.pass_time(32 * kSecond);
  scene_.refuse("PATCH", 500);
  scene_.pass_time(4 * kSecond);
  EXPECT_TRUE(scene_.calls().empty());
  scene_.pass_time(2 * kSecond);
  scene_.write_costs();
  EXPECT_EQ(scene_.marked(), Names{});
}

}  // namespace
}  // namespace ebb::control
