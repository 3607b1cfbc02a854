#include "control/shadow/shadow_controller.h"

#include <algorithm>
#include <memory>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/deadline_queue.h"
#include "schema/core/json.h"
#include "support/control/controller_scene.h"
#include "support/objects/pods.h"

namespace ebb::control {
namespace {

using testing::ControllerScene;
using testing::kSecond;
using End = Decision::Actual::End;
using Names = std::vector<std::string>;

constexpr std::string_view kPolicies = "/apis/ebb.dev/v1alpha1/namespaces/shop/downscalepolicies";
constexpr std::string_view kPickerSpec =
    R"("podPicker":{"http":{"host":"picker"},"timeoutSeconds":2,"maxRetries":0})";

// A scene is created by a plain function, so shared state must be static.
struct Shared {
  std::shared_ptr<PolicyReports> reports = std::make_shared<PolicyReports>();
  std::shared_ptr<DecisionQueue> decisions = std::make_shared<DecisionQueue>();
  ShadowScope scope = ShadowScope::kEverything;
};
Shared& shared() {
  static Shared state;
  return state;
}

std::unique_ptr<Controller> make_controller(const ControllerContext& context,
                                            Safeguards /*safeguards*/) {
  return make_shadow_controller(
      context, {.reports = shared().reports, .decisions = shared().decisions}, shared().scope);
}

class ShadowControllerTest : public ::testing::Test {
 protected:
  // `web` with these pods, each twice as old as the next: the youngest goes first.
  void begin(const Names& pods) {
    scene_.create_set("web", static_cast<int>(pods.size()));
    auto age = static_cast<Nanoseconds>(pods.size());
    for (const std::string& pod : pods) {
      scene_.now.wall = later_by(scene_.now.wall, kSecond);
      scene_.create_pod(pod, {.node = "node-" + pod, .ready_for_ns = (64LL << age--) * kSecond});
    }
    scene_.settle_but_for_timers();
  }
  void create_policy(std::string_view name, std::string_view spec, std::string_view mode) {
    scene_.request(model::Method::kPost, std::string(kPolicies),
                   fmt::format(R"({{"apiVersion":"ebb.dev/v1alpha1","kind":"DownscalePolicy",
                         "metadata":{{"name":"{}"}},"spec":{{"mode":"{}","targetRef":{{
                         "kind":"ReplicaSet","name":"web"}},{}}}}})",
                               name, mode, spec),
                   201);
    scene_.settle_but_for_timers();
  }
  // The acting controller writes the number of pods into the status, so the watch of ReplicaSets
  // gets past the revision at which the last pod went.
  void see() {
    scene_.patch("/apis/apps/v1/namespaces/shop/replicasets/web/status",
                 fmt::format(R"({{"status":{{"replicas":{}}}}})", scene_.pods().size()));
    scene_.see_all();
    scene_.run();
  }
  [[nodiscard]] const Decision& decision() const { return scene_.decisions.back(); }
  [[nodiscard]] Names victims() const {
    Names names;
    for (const Decision::Victim& victim : decision().victims) {
      names.push_back(fmt::format("{} {}", victim.name, victim.outcome));
    }
    return names;
  }
  // `a`, or `a!` if ebb would have kept it.
  [[nodiscard]] Names removed() const {
    Names names;
    for (const Decision::Actual::Removed& pod : decision().actual->removed) {
      names.push_back(pod.name + (pod.agreed ? "" : "!"));
    }
    return names;
  }
  static PolicyReports::Shadow counts(const std::string& policy) {
    const auto* report = shared().reports->of({.namespace_name = "shop", .name = policy});
    return report == nullptr ? PolicyReports::Shadow()
                             : report->shadow.value_or(PolicyReports::Shadow());
  }

  ControllerScene scene_ = [] {
    shared() = {};
    return ControllerScene(make_controller);
  }();
};

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

TEST_F(ShadowControllerTest, PodsThatAreGoneBeforeTheSizeIsSeenAreCandidates) {
  begin({"a", "b", "c", "d"});
  scene_.scale("web", 2);
  scene_.delete_pod("d", 30);
  scene_.delete_pod("c", 0);
  scene_.see(Resource::kPods);
  scene_.run();
  EXPECT_TRUE(scene_.decisions.empty());
  scene_.pass_time(3 * kSecond);
  see();
  ASSERT_EQ(scene_.decisions.size(), 1U);
  EXPECT_EQ(removed(), (Names{"d", "c"}));
  EXPECT_EQ(decision().candidates, 4U);
}

TEST_F(ShadowControllerTest, PodsThatWentEarlierAreNoCandidates) {
  begin({"a", "b", "c", "d"});
  scene_.delete_pod("a", 30);  // by a user, say
  scene_.create_pod("e", {.node = "node-e"});
  scene_.scale("web", 3);
  scene_.delete_pod("e");
  see();
  ASSERT_EQ(scene_.decisions.size(), 1U);
  EXPECT_EQ(removed(), Names{"e"});
  EXPECT_EQ(decision().candidates, 4U);
}

TEST_F(ShadowControllerTest, TheLastWordsOfAPodThatWentEarlierDoNotCount) {
  begin({"a", "b", "c"});
  scene_.delete_pod("a", 30);
  see();
  scene_.create_pod("d", {.node = "node-d"});
  see();
  scene_.pass_time(20 * kSecond);
  scene_.scale("web", 2);
  see();
  scene_.delete_pod("a", 0);
  see();
  EXPECT_TRUE(scene_.decisions.empty());
  scene_.delete_pod("d");
  see();
  ASSERT_EQ(scene_.decisions.size(), 1U);
  EXPECT_EQ(removed(), Names{"d"});
}

TEST_F(ShadowControllerTest, AWatchOfPodsThatIsBehindChangesTheCandidatesLater) {
  begin({"a", "b", "c", "d"});
  scene_.delete_pod("a", 30);
  scene_.create_pod("e", {.node = "node-e"});
  scene_.scale("web", 3);
  scene_.delete_pod("e");
  scene_.see(Resource::kReplicaSets);
  scene_.run();
  see();
  ASSERT_EQ(scene_.decisions.size(), 1U);
  EXPECT_EQ(removed(), Names{"e"});
  EXPECT_EQ(decision().candidates, 4U);
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

TEST_F(ShadowControllerTest, ANewSizeEndsTheComparisonAndBeginsAnother) {
  begin({"a", "b", "c", "d", "e"});
  scene_.scale("web", 3);
  scene_.delete_pod("e");
  scene_.scale("web", 2);
  scene_.delete_pod("d");
  scene_.delete_pod("a");
  see();
  ASSERT_EQ(scene_.decisions.size(), 2U);
  const Decision& first = scene_.decisions.front();
  ASSERT_EQ(first.actual->removed.size(), 1U);
  EXPECT_EQ(first.actual->removed.front().name, "e");
  EXPECT_EQ(first.actual->end, End::kResized);
  EXPECT_EQ(first.candidates, 5U);
  EXPECT_EQ(removed(), (Names{"d", "a!"}));
  EXPECT_EQ(decision().candidates, 4U);
}

TEST_F(ShadowControllerTest, ALargerSizeThatIsSeenAfterThePodsThatWentEndsTheComparison) {
  begin({"a", "b", "c"});
  scene_.scale("web", 2);
  see();
  scene_.scale("web", 3);
  scene_.delete_pod("c");
  scene_.see(Resource::kPods);
  scene_.run();
  EXPECT_TRUE(scene_.decisions.empty());
  see();
  scene_.pass_time(60 * kSecond);
  EXPECT_TRUE(scene_.decisions.empty());
}

TEST_F(ShadowControllerTest, PodsThatAreSeenBeforeANewSizeAreComparedOnlyWithThatSize) {
  begin({"a", "b", "c", "d", "e"});
  scene_.scale("web", 3);
  see();
  scene_.delete_pod("e");
  scene_.scale("web", 2);
  scene_.delete_pod("d");
  scene_.delete_pod("a");
  scene_.see(Resource::kPods);
  scene_.run();
  see();
  ASSERT_EQ(scene_.decisions.size(), 2U);
  ASSERT_EQ(scene_.decisions.front().actual->removed.size(), 1U);
  EXPECT_EQ(scene_.decisions.front().actual->removed.front().name, "e");
  EXPECT_EQ(scene_.decisions.front().actual->end, End::kResized);
  EXPECT_EQ(removed(), (Names{"d", "a!"}));
  EXPECT_EQ(scene_.labelled["agreed"], 2);
  EXPECT_EQ(scene_.labelled["other"], 1);
}

TEST_F(ShadowControllerTest, SizesThatAreSeenTogetherAreAllCompared) {
  begin({"a", "b", "c", "d", "e"});
  for (const auto& [size, pod] : {std::pair{4, "e"}, {3, "d"}, {2, "c"}, {1, "b"}}) {
    scene_.scale("web", size);
    scene_.delete_pod(pod);
  }
  see();
  EXPECT_EQ(scene_.decisions.size(), 4U);
  EXPECT_EQ(scene_.labelled["agreed"], 4);
}

TEST_F(ShadowControllerTest, WaitsForTheWatchOfReplicaSetsForTwoSeconds) {
  begin({"a", "b", "c"});
  scene_.scale("web", 2);
  see();
  scene_.delete_pod("c");
  scene_.see_all();
  scene_.run();
  scene_.pass_time(2 * kSecond - 1);
  EXPECT_TRUE(scene_.decisions.empty());
  scene_.pass_time(1);
  ASSERT_EQ(scene_.decisions.size(), 1U);
  EXPECT_EQ(removed(), Names{"c"});
  EXPECT_EQ(decision().actual->end, End::kComplete);
}

TEST_F(ShadowControllerTest, ALargerSizeEndsTheComparison) {
  begin({"a", "b", "c"});
  scene_.scale("web", 1);
  see();
  scene_.delete_pod("c");
  scene_.scale("web", 4);
  see();
  // The watch of pods may be behind.
  EXPECT_TRUE(scene_.decisions.empty());
  scene_.pass_time(2 * kSecond);
  ASSERT_EQ(scene_.decisions.size(), 1U);
  EXPECT_EQ(removed(), Names{"c"});
  EXPECT_EQ(decision().actual->end, End::kResized);
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
