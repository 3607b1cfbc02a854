// Scale-downs that heed ranks, from the policy to the victims.
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

namespace json = boost::json;
using testing::ControllerScene;
using testing::kAntiAffinity;
using testing::kEbb;
using testing::kSecond;
using testing::kSpread;
using testing::rank_annotation;

constexpr std::string_view kOwned =
    R"({"ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment","name":"web",
        "uid":"deployment-uid","controller":true}]})";

class RankPassTest : public testing::RankTest {};

// The three of the proposal's test plan.

TEST_F(RankPassTest, ScalingDownRespectsTheRanking) {
  begin(2, {"a", "b", "c", "d"});
  publish({{"a", 1}, {"b", 4}, {"c", 2}, {"d", 3}});
  go();
  EXPECT_EQ(scene_.pods(), (Names{"a", "c"}));
  EXPECT_EQ(victims(), (Names{"b", "d"}));
  EXPECT_EQ(scene_.decisions[0].victims[0].rule, "CostRank");
  EXPECT_EQ(record().outcome, RankOutcome::kRanked);
  EXPECT_EQ(record().carrier, "PodGroupCost web");
  EXPECT_EQ(record().waited_ns, 0);
  EXPECT_TRUE(scene_.messages("RanksIgnored").empty());
  EXPECT_TRUE(scene_.messages("RanksAwaited").empty());
}

TEST_F(RankPassTest, RanksAreIgnoredIfOnePodMissesOneAfterTheTimeout) {
  create_policy(fmt::format(R"({},"waitSeconds":20)", kSpread));
  begin(2, {"a", "b", "c"});
  publish({{"a", 1}, {"b", 9}});
  go();
  EXPECT_EQ(scene_.messages("RanksAwaited"),
            Names{"Waits up to 20 s for ranks: PodGroupCost web does not rank 1 of the Ready pods, "
                  "so it is not used"});
  scene_.pass_time(20 * kSecond - 1);
  EXPECT_EQ(scene_.pods().size(), 3U);
  scene_.pass_time(1);
  go();
  EXPECT_EQ(scene_.pods().size(), 2U);
  EXPECT_EQ(record().outcome, RankOutcome::kIncomplete);
  EXPECT_EQ(record().waited_ns, 20 * kSecond);
  EXPECT_NE(scene_.decisions[0].victims[0].rule, "CostRank");
  EXPECT_EQ(scene_.messages("RanksIgnored"),
            Names{"The default order decides, after waiting 20 s: PodGroupCost web does not rank 1 "
                  "of the Ready pods, so it is not used"});
  EXPECT_EQ(scene_.counted(Count::kRankWaits), 1);
  EXPECT_EQ(scene_.labelled["incomplete ranks"], 1);
}

TEST_F(RankPassTest, WhereRanksAreRecomputedOnlyOneGoesAndNoOtherUntilTheyAre) {
  begin(1, {"a", "b", "c", "d"});
  publish({{"a", 1}, {"b", 9}, {"c", 2}, {"d", 3}}, true);
  go();
  EXPECT_EQ(scene_.pods(), (Names{"a", "c", "d"}));
  EXPECT_TRUE(record().recompute);
  // What was worked out with b does not count any more.
  scene_.pass_time(29 * kSecond);
  EXPECT_EQ(scene_.pods().size(), 3U);
  EXPECT_EQ(scene_.status("web", "replicas"), "3");
  // Now a has to go first.
  publish({{"a", 7}, {"c", 2}, {"d", 3}}, true);
  go();
  EXPECT_EQ(scene_.pods(), (Names{"c", "d"}));
  publish({{"c", 2}, {"d", 3}}, true);
  go();
  EXPECT_EQ(scene_.pods(), Names{"c"});
  EXPECT_EQ(scene_.decisions.size(), 3U);
  EXPECT_TRUE(scene_.messages("RanksIgnored").empty());
  EXPECT_EQ(scene_.messages("RanksAwaited").size(), 1U);  // not each time
}

// Completeness.

TEST_F(RankPassTest, WithoutRanksAndWithoutAPolicyNobodyWaitsAndNothingIsSaid) {
  begin(1, {"a", "b"});
  go();
  EXPECT_EQ(scene_.pods().size(), 1U);
  EXPECT_FALSE(scene_.decisions.at(0).ranking.has_value());
  EXPECT_TRUE(scene_.messages("RanksIgnored").empty());
}

TEST_F(RankPassTest, IncompleteRanksAreIgnoredAtOnceUnlessSomebodySaysOtherwise) {
  begin(1, {"a", "b"});
  publish({{"a", 1}});
  go();
  EXPECT_EQ(scene_.pods().size(), 1U);
  EXPECT_EQ(record().outcome, RankOutcome::kIncomplete);
  EXPECT_EQ(scene_.messages("RanksIgnored").size(), 1U);
  EXPECT_EQ(scene_.messages("DownscaleDecision").at(0).substr(0, 15), "1 of 2 pods goe");
  EXPECT_NE(scene_.messages("DownscaleDecision").at(0).find("; ranks are incomplete"),
            std::string::npos);
}

TEST_F(RankPassTest, ComeFromTheFirstCompleteCarrierAndAreNeverMixed) {
  begin(2, {});
  scene_.create_pod("a", {.annotations = rank_annotation(3)});
  scene_.create_pod("b", {.annotations = rank_annotation(2)});
  scene_.create_pod("c", {.annotations = rank_annotation(1)});
  publish({{"a", 1}, {"b", 9}});
  go();
  EXPECT_EQ(victims(), Names{"a"});
  EXPECT_EQ(record().carrier, "annotation scheduling.alpha.kubernetes.io/cost");
  EXPECT_EQ(record().problems.size(), 1U);
}

TEST_F(RankPassTest, APolicyThatRanksButHasPublishedNothingIsWaitedForAsItSays) {
  create_policy(fmt::format(R"({},"waitSeconds":5)", kSpread));
  begin(1, {"a", "b"});
  go();
  EXPECT_EQ(scene_.pods().size(), 2U);
  EXPECT_EQ(scene_.messages("RanksAwaited"),
            Names{"Waits up to 5 s for ranks: DownscalePolicy web asks for ranks, and there are "
                  "none"});
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 1U);
  EXPECT_EQ(record().outcome, RankOutcome::kUnpublished);
  EXPECT_EQ(record().policy, "web");
}

TEST_F(RankPassTest, ByDefaultAPolicyIsNotWaitedFor) {
  create_policy(kSpread);
  begin(1, {"a", "b"});
  go();
  EXPECT_EQ(scene_.pods().size(), 1U);
  EXPECT_EQ(record().outcome, RankOutcome::kUnpublished);
  EXPECT_EQ(scene_.messages("RanksIgnored").size(), 1U);
}

TEST_F(RankPassTest, APodGroupCostWhoseStatusIsOfAnEarlierGenerationIsNotComplete) {
  begin(1, {"a", "b"});
  publish({{"a", 1}, {"b", 9}});
  write_costs({{"a", 9}, {"b", 1}});
  go();
  EXPECT_EQ(record().outcome, RankOutcome::kStale);
  EXPECT_EQ(record().problems,
            Names{"PodGroupCost web has a status of generation 1 and is at 2, so it is not used"});
}

TEST_F(RankPassTest, WhoWritesNoStatusIsTakenByWhatItSays) {
  begin(1, {"a", "b"});
  write_costs({{"a", 1}, {"b", 9}});
  go();
  EXPECT_EQ(scene_.pods(), Names{"a"});
  EXPECT_EQ(record().outcome, RankOutcome::kRanked);
}

// A status is written after the spec, so this is what is seen in between.
TEST_F(RankPassTest, WhereThePolicyRecomputesAPodGroupCostWithoutAStatusIsNotComplete) {
  create_policy(kAntiAffinity);
  begin(1, {"a", "b", "c"});
  write_costs({{"a", 1}, {"b", 9}, {"c", 5}});
  go();
  EXPECT_EQ(scene_.pods().size(), 3U);
  write_status(true);
  go();
  EXPECT_EQ(scene_.pods(), (Names{"a", "c"}));
}

// Recomputation.

TEST_F(RankPassTest, RecomputedRanksThatDoNotComeCostHalfAMinuteForEachPod) {
  begin(1, {"a", "b", "c"});
  publish({{"a", 1}, {"b", 9}, {"c", 2}}, true);
  go();
  ASSERT_EQ(scene_.pods(), (Names{"a", "c"}));
  scene_.pass_time(30 * kSecond - 1);
  EXPECT_EQ(scene_.pods().size(), 2U);
  scene_.pass_time(1);
  go();
  EXPECT_EQ(scene_.pods().size(), 1U);
  EXPECT_EQ(record().outcome, RankOutcome::kStale);
  EXPECT_EQ(record().waited_ns, 30 * kSecond);
  EXPECT_EQ(scene_.messages("RanksIgnored"),
            Names{"The default order decides, after waiting 30 s: PodGroupCost web was worked out "
                  "for other pods than there are now, so it is not used"});
}

TEST_F(RankPassTest, ByTimeoutTooOnlyOneGoesAtATime) {
  create_policy(kAntiAffinity);
  begin(1, {"a", "b", "c"});
  go();
  EXPECT_EQ(scene_.pods().size(), 3U);
  for (const std::size_t left : {2U, 1U}) {
    scene_.pass_time(30 * kSecond - 1);
    EXPECT_EQ(scene_.pods().size(), left + 1);
    scene_.pass_time(1);
    go();
    EXPECT_EQ(scene_.pods().size(), left);
  }
  EXPECT_EQ(scene_.counted(Count::kRankWaits), 2);
  EXPECT_EQ(scene_.labelled["no ranks"], 2);
}

TEST_F(RankPassTest, WithAnExplicitZeroNobodyWaitsButTheyStillGoOneByOne) {
  create_policy(fmt::format(R"({},"waitSeconds":0)", kAntiAffinity));
  begin(1, {"a", "b", "c"});
  go();
  EXPECT_EQ(scene_.pods().size(), 1U);
  EXPECT_EQ(scene_.decisions.size(), 2U);
}

TEST_F(RankPassTest, WhoGoesWithoutRanksGoesTogetherAlsoWhereTheyAreRecomputed) {
  begin(1, {"a", "b"});
  for (const char* name : {"u-1", "u-2"}) scene_.create_pod(name, {.ready = false});
  publish({{"a", 1}, {"b", 2}, {"u-1", 0}, {"u-2", 0}}, true);
  go();
  EXPECT_EQ(scene_.pods(), (Names{"a", "b"}));
  EXPECT_EQ(scene_.decisions.size(), 1U);
  publish({{"a", 1}, {"b", 2}}, true);
  go();
  EXPECT_EQ(scene_.pods(), Names{"a"});
}

// Rollouts.

TEST_F(RankPassTest, DuringARolloutRanksAreIgnoredUnlessThePolicySaysOtherwise) {
  for (const bool during : {false, true}) {
    ControllerScene scene(make_replica_set_controller);
    const auto create = [&](const std::string& plural, std::string_view body) {
      scene.request(model::Method::kPost, fmt::format("{}{}", kEbb, plural), std::string(body),
                    201);
    };
    create("downscalepolicies",
           fmt::format(R"({{"apiVersion":"ebb.dev/v1alpha1","kind":"DownscalePolicy",
                "metadata":{{"name":"web"}},"spec":{{"targetRef":{{"kind":"Deployment","name":"web"}},
                "ranking":{{{},"duringRollouts":{}}}}}}})",
                       kSpread, during));
    scene.create_set("web", 1, "{}", kOwned);
    scene.create_set("new", 1, "{}", kOwned);
    scene.create_pod("a", {.annotations = rank_annotation(1)});
    scene.create_pod("b", {.annotations = rank_annotation(9)});
    scene.create_pod("n", {.app = "new", .owner = "new"});
    scene.settle_but_for_timers();
    ASSERT_EQ(scene.decisions.size(), 1U);
    const Decision& decision = scene.decisions[0];
    EXPECT_EQ(decision.ranking->outcome, during ? RankOutcome::kRanked : RankOutcome::kRollout);
    EXPECT_EQ(decision.victims[0].rule == "CostRank", during);
    EXPECT_TRUE(scene.messages("RanksIgnored").empty());
  }
}

// With others.

TEST_F(RankPassTest, RanksAreWaitedForBeforeThePickerIsAsked) {
  create_policy(fmt::format(R"({},"waitSeconds":20)", kSpread));
  scene_.create_set("web", 1, R"({"downscalePodPicker":{"http":{"host":"picker"}}})");
  for (const char* name : {"a", "b", "c"}) scene_.create_pod(name);
  go();
  EXPECT_TRUE(scene_.questions.empty());
  publish({{"a", 1}, {"b", 2}, {"c", 2}});
  go();
  ASSERT_EQ(scene_.questions.size(), 1U);
  EXPECT_EQ(scene_.messages("RanksAwaited").size(), 1U);
  scene_.answer_question({"c"}, {"a", "b"});
  go();
  EXPECT_EQ(scene_.pods(), Names{"a"});
  EXPECT_EQ(record().outcome, RankOutcome::kRanked);
  EXPECT_EQ(scene_.decisions[0].picker->outcome, picker::Outcome::kAnswered);
}

TEST_F(RankPassTest, WhereRanksAreRecomputedThePickerIsAskedAboutOne) {
  scene_.create_set("web", 1, R"({"downscalePodPicker":{"http":{"host":"picker"}}})");
  for (const char* name : {"a", "b", "c"}) scene_.create_pod(name);
  publish({{"a", 1}, {"b", 2}, {"c", 2}}, true);
  go();
  ASSERT_EQ(scene_.questions.size(), 1U);
  EXPECT_TRUE(scene_.questions[0].body->starts_with(R"({"number_of_pods_requested":1,)"));
  scene_.answer_question({"b"});
  go();
  EXPECT_EQ(scene_.pods(), (Names{"a", "c"}));
}

TEST_F(RankPassTest, TheGateSwitchesItOff) {
  model::FeatureGates off;
  off.set(model::Gate::kPodCostRanking, false);
  scene_.restart(off);
  create_policy(fmt::format(R"({},"waitSeconds":60)", kSpread));
  begin(1, {"a", "b"});
  go();
  EXPECT_EQ(scene_.pods().size(), 1U);
  EXPECT_FALSE(scene_.decisions[0].ranking.has_value());
}

TEST_F(RankPassTest, DeletionCostsThatAPolicyPublishesAreWaitedForToo) {
  create_policy(fmt::format(R"({},"publish":"PodDeletionCost","waitSeconds":20)", kSpread));
  begin(1, {"a"});
  scene_.create_pod("b", {.annotations = R"({"controller.kubernetes.io/pod-deletion-cost":"-5"})"});
  go();
  EXPECT_EQ(scene_.pods().size(), 2U);
  scene_.patch(
      "/api/v1/namespaces/shop/pods/a",
      R"({"metadata":{"annotations":{"controller.kubernetes.io/pod-deletion-cost":"-9"}}})");
  go();
  EXPECT_EQ(scene_.pods(), Names{"b"});
  EXPECT_EQ(record().outcome, RankOutcome::kRanked);
  EXPECT_EQ(record().carrier, "annotation controller.kubernetes.io/pod-deletion-cost");
}

TEST_F(RankPassTest, SettingsThatMakeNoSenseStopNothing) {
  begin(1, {"a", "b"});
  create_policy(kSpread);
  scene_.see_all();
  // An API server that does not check would have let it pass.
  std::string text = json::serialize(scene_.get(fmt::format("{}downscalepolicies/web", kEbb)));
  const auto at = text.find("TopologySpread");
  text.replace(at, 14, "TopologySpeed");
  text.replace(text.find(R"("resourceVersion":")") + 19, 0, "9");
  ASSERT_TRUE(scene_.store->upsert(Resource::kPolicies, Store::Format::kJson, text).has_value());
  go();
  EXPECT_EQ(scene_.pods().size(), 1U);
  EXPECT_EQ(record().outcome, RankOutcome::kBadSettings);
  ASSERT_EQ(scene_.messages("RanksIgnored").size(), 1U);
  EXPECT_NE(scene_.messages("RanksIgnored")[0].find("spec.ranking.strategies"), std::string::npos);
}

TEST_F(RankPassTest, TheRecordSaysHowRanksWereHeeded) {
  create_policy(fmt::format(R"({},"waitSeconds":2)", kSpread));
  begin(1, {"a", "b"});
  publish({{"a", 1}});
  scene_.settle();
  const json::object record = scene_.decisions.at(0).to_json();
  EXPECT_EQ(json::serialize(record.at("ranking")),
            R"({"outcome":"incomplete","policy":"DownscalePolicy/web","recompute":false,)"
            R"("waitedSeconds":2E0,"problems":["PodGroupCost web does not rank 1 of the Ready )"
            R"(pods, so it is not used"]})");
  EXPECT_EQ(json::serialize(record.at("consulted")), "[]");
}

}  // namespace
}  // namespace ebb::control
