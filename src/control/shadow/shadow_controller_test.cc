#include "control/shadow/shadow_controller.h"

#include <gtest/gtest.h>

#include "schema/core/json.h"
#include "support/control/shadow_scene.h"

namespace ebb::control {
namespace {

using testing::kSecond;

class ShadowControllerTest : public testing::ShadowScene {};

TEST_F(ShadowControllerTest, RecordsThatTheActingControllerAgrees) {
  begin({"a", "b", "c", "d"});
  scene_.scale("web", 2);
  see();
  EXPECT_TRUE(scene_.decisions.empty());
  scene_.delete_pod("d");
  scene_.delete_pod("c");
  see();
  ASSERT_EQ(scene_.decisions.size(), 1U);
  EXPECT_EQ(victims(), (Names{"d went", "c went"}));
  EXPECT_EQ(removed(), (Names{"d", "c"}));
  EXPECT_EQ(decision().actual->end, End::kComplete);
  EXPECT_EQ(decision().from, 4);
  EXPECT_EQ(decision().to, 2);
  EXPECT_EQ(decision().first_kept, "b");
  EXPECT_EQ(scene_.messages("ShadowDecision"), Names{"2 of 2 pods that went agree"});
  EXPECT_EQ(scene_.counted(Count::kShadowDecisions), 1);
  EXPECT_EQ(scene_.labelled["agreed"], 2);
  EXPECT_EQ(scene_.labelled.count("other"), 0U);
  EXPECT_EQ(shared().decisions->size(), 1U);
}

TEST_F(ShadowControllerTest, WritesNothing) {
  begin({"a", "b"});
  create_policy("mine", kPickerSpec, "Active");
  scene_.scale("web", 1);
  see();
  scene_.delete_pod("a");
  scene_.settle();
  EXPECT_EQ(scene_.decisions.size(), 1U);
  EXPECT_EQ(scene_.history, Names{});
}

TEST_F(ShadowControllerTest, SaysWhichPodsWouldHaveStayedAndWhichWouldHaveGoneInstead) {
  begin({"a", "b", "c", "d"});
  scene_.scale("web", 2);
  scene_.delete_pod("d");
  scene_.delete_pod("a");
  see();
  ASSERT_EQ(scene_.decisions.size(), 1U);
  EXPECT_EQ(victims(), (Names{"d went", "c stayed"}));
  EXPECT_EQ(removed(), (Names{"d", "a!"}));
  const Decision::Actual::Removed& other = decision().actual->removed.back();
  EXPECT_EQ(other.rule, "ReadyAge");
  EXPECT_NE(other.because.find("c, the last pod removed"), std::string::npos) << other.because;
  EXPECT_EQ(scene_.messages("ShadowDecision"),
            Names{"1 of 2 pods that went agrees; a would have stayed (ready age); c would have "
                  "gone instead"});
  EXPECT_EQ(scene_.labelled["other"], 1);
}

TEST_F(ShadowControllerTest, PodsThatFinishByThemselvesNeedNotGo) {
  begin({"a", "b", "c", "d"});
  scene_.scale("web", 2);
  see();
  scene_.patch("/api/v1/namespaces/shop/pods/a/status", R"({"status":{"phase":"Failed"}})");
  scene_.delete_pod("d");
  see();
  ASSERT_EQ(scene_.decisions.size(), 1U);
  EXPECT_EQ(decision().candidates, 3U);
  EXPECT_EQ(removed(), Names{"d"});
}

TEST_F(ShadowControllerTest, GivesUpAfterHalfAMinute) {
  begin({"a", "b", "c"});
  scene_.scale("web", 1);
  see();
  scene_.delete_pod("c");
  see();
  scene_.pass_time(30 * kSecond - 1);
  EXPECT_TRUE(scene_.decisions.empty());
  scene_.pass_time(1);
  ASSERT_EQ(scene_.decisions.size(), 1U);
  EXPECT_EQ(decision().actual->end, End::kTimeout);
  EXPECT_EQ(removed(), Names{"c"});
  EXPECT_EQ(scene_.messages("ShadowDecision"), Names{"1 of 1 pod that went agrees"});
}

TEST_F(ShadowControllerTest, NothingIsRecordedIfNothingWent) {
  begin({"a", "b", "c"});
  scene_.scale("web", 1);
  see();
  scene_.pass_time(60 * kSecond);
  EXPECT_TRUE(scene_.decisions.empty());
  EXPECT_TRUE(scene_.controller().wake_at().is_zero());
}

TEST_F(ShadowControllerTest, AReplicaSetThatIsDeletedIsNotAScaleDown) {
  begin({"a", "b"});
  scene_.scale("web", 1);
  see();
  scene_.request(model::Method::kDelete, "/apis/apps/v1/namespaces/shop/replicasets/web", "", 200);
  scene_.delete_pod("a");
  scene_.delete_pod("b");
  scene_.settle();
  EXPECT_TRUE(scene_.decisions.empty());
}

TEST_F(ShadowControllerTest, CrowdedNodesCountAsTheyWereAtTheBeginning) {
  scene_.create_set("web", 3);
  scene_.create_pod("alone", {.node = "node-1"});
  scene_.create_pod("doubled-1", {.node = "node-2"});
  scene_.create_pod("doubled-2", {.node = "node-2"});
  scene_.settle_but_for_timers();
  scene_.scale("web", 2);
  scene_.delete_pod("doubled-2");
  see();
  ASSERT_EQ(scene_.decisions.size(), 1U);
  EXPECT_EQ(decision().victims.front().node, "node-2");
  EXPECT_EQ(decision().first_kept.substr(0, 7), "doubled");
}

TEST_F(ShadowControllerTest, ThePickerLearnsThatItIsOnlyWatched) {
  begin({"a", "b", "c"});
  create_policy("mine", kPickerSpec, "Active");
  scene_.scale("web", 2);
  see();
  ASSERT_EQ(scene_.picker_requests.size(), 1U);
  EXPECT_TRUE(scene_.picker_requests.front().shadow);
  // The acting controller does not wait.
  scene_.delete_pod("c");
  see();
  EXPECT_TRUE(scene_.decisions.empty());
  scene_.picker_answers({"a"});
  scene_.run();
  ASSERT_EQ(scene_.decisions.size(), 1U);
  EXPECT_EQ(victims(), Names{"a stayed"});
  EXPECT_EQ(removed(), Names{"c!"});
  EXPECT_EQ(decision().picker->outcome, picker::Outcome::kAnswered);
  EXPECT_EQ(scene_.messages("ShadowDecision"),
            Names{"0 of 1 pod that went agree; c would have stayed (picker rank); a would have "
                  "gone instead; the picker answered"});
  const PolicyReports::Shadow shadow = counts("mine");
  EXPECT_EQ(shadow.decisions, 1);
  EXPECT_EQ(shadow.victims, 1);
  EXPECT_EQ(shadow.agreed, 0);
  EXPECT_EQ(shared().reports->of({.namespace_name = "shop", .name = "mine"})->asked,
            picker::Outcome::kAnswered);
}

TEST_F(ShadowControllerTest, WithoutAnAnswerTheDefaultOrderIsCompared) {
  begin({"a", "b", "c"});
  create_policy("mine", kPickerSpec, "Shadow");
  scene_.scale("web", 2);
  scene_.delete_pod("c");
  see();
  EXPECT_TRUE(scene_.decisions.empty());
  scene_.pass_time(2 * kSecond);
  ASSERT_EQ(scene_.decisions.size(), 1U);
  EXPECT_EQ(removed(), Names{"c"});
  EXPECT_EQ(decision().picker->outcome, picker::Outcome::kTimeout);
}

TEST_F(ShadowControllerTest, ANewSizeWithdrawsThePickersRequest) {
  begin({"a", "b", "c"});
  create_policy("mine", kPickerSpec, "Active");
  scene_.scale("web", 2);
  see();
  scene_.scale("web", 1);
  see();
  EXPECT_EQ(scene_.withdrawn, std::vector<picker::CallId>{1});
  EXPECT_EQ(scene_.picker_requests.size(), 2U);
}

// Beside `ebb webhook`, the agreement says whether the stock controller removed what ebb chose.
TEST_F(ShadowControllerTest, CostsThatTheWebhookLoweredDoNotCount) {
  begin({"a", "b", "c", "d"});
  const auto lower_cost = [&](std::string_view pod) {
    scene_.patch(fmt::format("/api/v1/namespaces/shop/pods/{}", pod),
                 R"({"metadata":{"annotations":{"ebb.dev/scale-down":"x 3 -1000000009",
                     "controller.kubernetes.io/pod-deletion-cost":"-1000000009"}}})");
  };
  lower_cost("a");
  scene_.scale("web", 3);
  scene_.delete_pod("a");
  see();
  ASSERT_EQ(scene_.decisions.size(), 1U);
  EXPECT_EQ(removed(), Names{"a!"});
  create_policy("mine", kPickerSpec, "Active");
  lower_cost("b");
  scene_.scale("web", 2);
  scene_.delete_pod("b");
  see();
  scene_.picker_answers({"b"});
  scene_.run();
  ASSERT_EQ(scene_.decisions.size(), 2U);
  EXPECT_EQ(removed(), Names{"b"});
}

TEST_F(ShadowControllerTest, RanksAreComputedWithoutARanker) {
  begin({"a", "b", "c"});
  create_policy("mine", R"("ranking":{"strategies":[{"name":"Oldest"}]})", "Shadow");
  scene_.scale("web", 2);
  scene_.delete_pod("c");
  see();
  ASSERT_EQ(scene_.decisions.size(), 1U);
  ASSERT_TRUE(decision().ranking.has_value());
  EXPECT_EQ(decision().ranking->outcome, RankOutcome::kRanked);
  EXPECT_EQ(decision().ranking->carrier, "DownscalePolicy mine (computed for the comparison)");
  EXPECT_EQ(victims(), Names{"a stayed"});
  EXPECT_EQ(removed(), Names{"c!"});
  EXPECT_EQ(counts("mine").decisions, 1);
}

TEST_F(ShadowControllerTest, CountsGoOnFromThoseInTheStatus) {
  begin({"a", "b", "c"});
  create_policy("mine", kPickerSpec, "Shadow");
  scene_.patch(std::string(kPolicies) + "/mine/status",
               R"({"status":{"shadow":{"decisions":7,"victims":20,"agreed":9}}})");
  see();
  scene_.scale("web", 1);
  scene_.delete_pod("b");
  scene_.delete_pod("c");
  see();
  scene_.pass_time(2 * kSecond);
  EXPECT_EQ(counts("mine").decisions, 8);
  EXPECT_EQ(counts("mine").victims, 22);
  EXPECT_EQ(counts("mine").agreed, 11);
}

TEST_F(ShadowControllerTest, BesideEbbsOwnControllerOnlyPoliciesInShadowModeAreCompared) {
  shared().scope = ShadowScope::kShadowPolicies;
  scene_.restart();
  begin({"a", "b", "c", "d"});
  create_policy("mine", kPickerSpec, "Active");
  scene_.scale("web", 3);
  scene_.delete_pod("d");
  scene_.settle();
  EXPECT_TRUE(scene_.decisions.empty());
  EXPECT_TRUE(scene_.picker_requests.empty());
  scene_.patch(std::string(kPolicies) + "/mine", R"({"spec":{"mode":"Shadow"}})");
  see();
  scene_.scale("web", 2);
  scene_.delete_pod("c");
  see();
  EXPECT_EQ(scene_.picker_requests.size(), 1U);
  scene_.picker_answers({"c"});
  scene_.run();
  ASSERT_EQ(scene_.decisions.size(), 1U);
  EXPECT_EQ(removed(), Names{"c"});
}

TEST_F(ShadowControllerTest, TheRecordSaysWhatReallyWent) {
  begin({"a", "b", "c"});
  scene_.scale("web", 1);
  scene_.delete_pod("a");
  scene_.delete_pod("c");
  see();
  ASSERT_EQ(scene_.decisions.size(), 1U);
  const auto record = decision().to_json();
  EXPECT_TRUE(record.at("shadow").as_bool());
  const auto& actual = record.at("actual").as_object();
  EXPECT_EQ(actual.at("end").as_string(), "complete");
  EXPECT_EQ(actual.at("agreed").to_number<int>(), 1);
  const auto& first = actual.at("removed").as_array().at(0).as_object();
  EXPECT_EQ(first.at("name").as_string(), "a");
  EXPECT_FALSE(first.at("agreed").as_bool());
  EXPECT_EQ(first.at("keptBy").as_string(), "ReadyAge");
}

}  // namespace
}  // namespace ebb::control
