// Scale-downs with a picker, from the request to the victims.
#include <algorithm>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/deadline_queue.h"
#include "control/replicaset/replica_set_controller.h"
#include "support/control/controller_scene.h"
#include "support/objects/pods.h"

namespace ebb::control {
namespace {

using picker::Outcome;
using testing::ControllerScene;
using testing::kSecond;
using Names = std::vector<std::string>;

constexpr std::string_view kPicker =
    R"({"downscalePodPicker":{"http":{"host":"picker"},"timeoutSeconds":2,"maxRetries":1}})";
constexpr std::string_view kSet = "/apis/apps/v1/namespaces/shop/replicasets/web";

class PickerSyncTest : public ::testing::Test {
 protected:
  // `web` wants `replicas` of these pods.
  void begin(int replicas, const Names& pods, std::string_view spec = kPicker) {
    scene_.create_set("web", replicas, spec);
    for (const std::string& pod : pods) scene_.create_pod(pod);
    scene_.settle_but_for_timers();
  }
  Names victims() const {
    Names names;
    for (const Decision::Victim& victim : scene_.decisions.back().victims) {
      names.push_back(victim.name);
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  const Decision::Picker& record() const { return *scene_.decisions.back().picker; }

  ControllerScene scene_{make_replica_set_controller};
};

TEST_F(PickerSyncTest, ThePickerIsAskedAndItsChoiceGoes) {
  begin(2, {"a", "b", "c", "d"});
  ASSERT_EQ(scene_.picker_requests.size(), 1U);
  EXPECT_TRUE(scene_.decisions.empty());
  EXPECT_EQ(scene_.pods().size(), 4U);
  scene_.picker_answers({"b"}, {"d"});
  scene_.settle();
  EXPECT_EQ(scene_.pods(), (Names{"a", "c"}));
  EXPECT_EQ(victims(), (Names{"b", "d"}));
  EXPECT_EQ(record().outcome, Outcome::kAnswered);
  EXPECT_EQ(record().carrier, "spec.downscalePodPicker");
  EXPECT_EQ(record().endpoint, "http://picker:80");
  EXPECT_EQ(record().attempts, 1);
  EXPECT_EQ(record().requested, 2U);
  EXPECT_EQ(record().chosen, 1U);
  EXPECT_EQ(record().tied, 1U);
  EXPECT_EQ(scene_.messages("DownscaleDecision"),
            Names{"2 of 4 pods go: 2 by picker rank; the picker answered"});
}

TEST_F(PickerSyncTest, WhileItIsAskedStatusIsWrittenAndNothingGoes) {
  begin(2, {"a", "b", "c"});
  ASSERT_EQ(scene_.picker_requests.size(), 1U);
  EXPECT_EQ(scene_.status("web", "replicas"), "3");
  scene_.patch("/api/v1/namespaces/shop/pods/a/status", R"({"status":{"conditions":[]}})");
  scene_.create_pod("d");
  scene_.settle_but_for_timers();
  EXPECT_EQ(scene_.status("web", "readyReplicas"), "3");
  EXPECT_EQ(scene_.status("web", "replicas"), "4");
  EXPECT_EQ(scene_.pods().size(), 4U);
  EXPECT_EQ(scene_.picker_requests.size(), 1U);
}

TEST_F(PickerSyncTest, WhenItsTimeIsUpTheDefaultOrderDecides) {
  begin(1, {"a", "b"});
  scene_.pass_time(2 * kSecond - 1);
  EXPECT_TRUE(scene_.decisions.empty());
  scene_.pass_time(1);
  scene_.settle();
  EXPECT_EQ(scene_.withdrawn, std::vector<picker::CallId>{1});
  EXPECT_EQ(record().outcome, Outcome::kTimeout);
  EXPECT_EQ(record().duration_ns, 2 * kSecond);
  EXPECT_EQ(scene_.pods().size(), 1U);
  EXPECT_EQ(scene_.messages("PickerFailed"),
            Names{"The default order decides because the picker failed: timeout (no answer within "
                  "timeoutSeconds)"});
}

// The worked example of the proposal: loads 1, 2, 2, 2, and two have to go.
TEST_F(PickerSyncTest, AsksWithTheNamesOfTheProposalAndTheNormalOrderBreaksTies) {
  begin(2, {"pod-1", "pod-2", "pod-3", "pod-4"});
  EXPECT_EQ(*scene_.picker_requests.at(0).body,
            R"({"number_of_pods_requested":2,"candidate_pods":["pod-1","pod-2","pod-3","pod-4"]})");
  scene_.picker_answers({"pod-1"}, {"pod-2", "pod-3", "pod-4"});
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 2U);
  EXPECT_EQ(victims().front(), "pod-1");
}

TEST_F(PickerSyncTest, PodsThatGoAnywayAreNotAskedAboutAndCountAgainstTheNumber) {
  scene_.create_set("web", 2, kPicker);
  for (const char* name : {"a", "b", "c"}) scene_.create_pod(name);
  scene_.create_pod("unready", {.ready = false});
  scene_.settle_but_for_timers();
  EXPECT_EQ(*scene_.picker_requests.at(0).body,
            R"({"number_of_pods_requested":1,"candidate_pods":["a","b","c"]})");
  scene_.picker_answers({"c"});
  scene_.settle();
  EXPECT_EQ(scene_.pods(), (Names{"a", "b"}));
}

TEST_F(PickerSyncTest, ThePickerIsNotCalledIfThereIsNothingToChoose) {
  begin(0, {"a", "b"});
  scene_.settle();
  EXPECT_TRUE(scene_.picker_requests.empty());
  EXPECT_EQ(record().outcome, Outcome::kNotNeeded);
  EXPECT_TRUE(scene_.messages("PickerFailed").empty());
  EXPECT_TRUE(scene_.pods().empty());
}

TEST_F(PickerSyncTest, TheNumberAskedForComesFromWhatMayGoAtATime) {
  Names pods;
  for (int i = 0; i < 503; ++i) pods.push_back("pod-" + std::to_string(i));
  begin(1, pods);
  ASSERT_EQ(scene_.picker_requests.size(), 1U);
  EXPECT_TRUE(scene_.picker_requests[0].body->starts_with(R"({"number_of_pods_requested":500,)"));
}

TEST_F(PickerSyncTest, EveryFailureLeavesItToTheDefaultOrder) {
  const Outcome failures[] = {Outcome::kEmpty,    Outcome::kTimeout,    Outcome::kRefused,
                              Outcome::kTls,      Outcome::kStatusCode, Outcome::kOversize,
                              Outcome::kMalformed};
  for (const Outcome failure : failures) {
    ControllerScene scene(make_replica_set_controller);
    scene.create_set("web", 1, kPicker);
    scene.create_pod("alone", {.node = "node-1"});
    scene.create_pod("doubled-1", {.node = "node-2"});
    scene.create_pod("doubled-2", {.node = "node-2"});
    scene.settle_but_for_timers();
    scene.reply({.outcome = failure, .code = 404});
    scene.settle();
    ASSERT_EQ(scene.decisions.size(), 1U);
    const Decision& decision = scene.decisions[0];
    EXPECT_EQ(decision.picker->outcome, failure);
    EXPECT_EQ(decision.victims.at(0).rule, "CoLocation") << to_string(failure);
    EXPECT_EQ(scene.messages("PickerFailed").size(), failure == Outcome::kEmpty ? 0U : 1U);
    EXPECT_EQ(scene.labelled[std::string(to_string(failure))], 3)  // attempt, round, fallback
        << to_string(failure);
  }
}

TEST_F(PickerSyncTest, AFailureEndsSpreadingIfTheProposalIsTakenByItsWord) {
  scene_.limits.failure_ends_spreading = true;
  scene_.restart();
  scene_.create_set("web", 1, kPicker);
  scene_.create_pod("alone", {.node = "node-1"});
  scene_.create_pod("doubled-1", {.node = "node-2"});
  scene_.create_pod("doubled-2", {.node = "node-2"});
  scene_.settle_but_for_timers();
  scene_.reply({.outcome = Outcome::kRefused});
  scene_.settle();
  EXPECT_NE(scene_.decisions.at(0).victims.at(0).rule, "CoLocation");
}

TEST_F(PickerSyncTest, SettingsThatMakeNoSenseStopNothing) {
  // An API server that does not know the field would not have refused it.
  scene_.create_set("web", 1, R"({"downscalePodPicker":{"http":{"host":"picker"}}})");
  for (const char* name : {"a", "b"}) scene_.create_pod(name);
  std::string text = boost::json::serialize(scene_.get(std::string(kSet)));
  const auto at = text.find(R"("host":"picker")");
  text.replace(at, 15, R"("host":"pic ker")");
  ASSERT_TRUE(scene_.store->upsert(Resource::kReplicaSets, Store::Format::kJson, text).has_value());
  scene_.see(Resource::kPods);
  scene_.run();
  EXPECT_TRUE(scene_.picker_requests.empty());
  scene_.carry_out("DELETE");
  ASSERT_EQ(scene_.decisions.size(), 1U);
  EXPECT_EQ(record().outcome, Outcome::kBadSettings);
  EXPECT_EQ(scene_.messages("PickerFailed").size(), 1U);
  EXPECT_NE(scene_.messages("PickerFailed")[0].find("spec.downscalePodPicker.http.host"),
            std::string::npos);
}

TEST_F(PickerSyncTest, WhenReplicasRoseMeanwhileNothingGoes) {
  begin(2, {"a", "b", "c"});
  scene_.scale("web", 3);
  scene_.settle_but_for_timers();
  EXPECT_EQ(scene_.withdrawn, std::vector<picker::CallId>{1});
  scene_.picker_answers({"a"});
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 3U);
  EXPECT_TRUE(scene_.decisions.empty());
  // The next scale-down calls it again.
  scene_.scale("web", 2);
  scene_.settle_but_for_timers();
  ASSERT_EQ(scene_.picker_requests.size(), 2U);
  EXPECT_NE(scene_.picker_requests[0].idempotency_key, scene_.picker_requests[1].idempotency_key);
  scene_.picker_answers({"c"});
  scene_.settle();
  EXPECT_EQ(scene_.pods(), (Names{"a", "b"}));
}

TEST_F(PickerSyncTest, TheAnswerServesAsManyAsWereAskedForAndTheRestIsAskedAgain) {
  begin(3, {"a", "b", "c", "d"});
  scene_.scale("web", 1);
  scene_.settle_but_for_timers();
  ASSERT_EQ(scene_.picker_requests.size(), 1U);
  scene_.picker_answers({"a", "b", "c"});
  scene_.settle_but_for_timers();
  EXPECT_EQ(scene_.pods().size(), 3U);
  ASSERT_EQ(scene_.picker_requests.size(), 2U);
  EXPECT_NE(scene_.picker_requests[1].body->find(R"("number_of_pods_requested":2)"),
            std::string::npos);
  scene_.picker_answers({"d"}, {"c", "b", "a"});
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 1U);
  EXPECT_EQ(scene_.decisions.size(), 2U);
}

TEST_F(PickerSyncTest, FewerGoIfFewerAreTooManyByThen) {
  begin(1, {"a", "b", "c"});
  scene_.scale("web", 2);
  scene_.settle_but_for_timers();
  scene_.picker_answers({"c", "b"});
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 2U);
  EXPECT_EQ(scene_.picker_requests.size(), 1U);
}

TEST_F(PickerSyncTest, PodsThatCameUpMeanwhileWereNotAskedAbout) {
  begin(2, {"a", "b", "c"});
  scene_.create_pod("late");
  scene_.settle_but_for_timers();
  scene_.picker_answers({"late", "a"});
  scene_.settle_but_for_timers();
  EXPECT_EQ(scene_.decisions.at(0).victims.size(), 1U);
  EXPECT_EQ(victims(), Names{"a"});
  EXPECT_EQ(record().ignored, 1U);
}

TEST_F(PickerSyncTest, PodsThatWentMeanwhileCountAsRemoved) {
  begin(2, {"a", "b", "c", "d"});
  scene_.delete_pod("a");
  scene_.settle_but_for_timers();
  scene_.picker_answers({"a", "b"});
  scene_.settle();
  EXPECT_EQ(scene_.pods(), (Names{"c", "d"}));
}

TEST_F(PickerSyncTest, ADeletedReplicaSetNeedsNoAnswer) {
  begin(1, {"a", "b"});
  scene_.request(model::Method::kDelete, std::string(kSet), R"({"propagationPolicy":"Orphan"})");
  scene_.settle_but_for_timers();
  EXPECT_EQ(scene_.withdrawn, std::vector<picker::CallId>{1});
  scene_.picker_answers({"a"});
  EXPECT_EQ(scene_.pods().size(), 2U);
  EXPECT_TRUE(scene_.decisions.empty());
}

TEST_F(PickerSyncTest, WithoutThePickerTheScaleDownGoesAheadAtOnce) {
  begin(1, {"a", "b"});
  scene_.patch(std::string(kSet), R"({"spec":{"downscalePodPicker":null}})");
  scene_.settle();
  EXPECT_EQ(scene_.withdrawn.size(), 1U);
  EXPECT_EQ(scene_.pods().size(), 1U);
  EXPECT_FALSE(scene_.decisions.at(0).picker.has_value());
}

TEST_F(PickerSyncTest, TheGateSwitchesItOffAndOnAgain) {
  begin(3, {"a", "b", "c", "d"});
  scene_.picker_answers({"a"});
  scene_.settle();
  model::FeatureGates off;
  off.set(model::Gate::kDownscalePodPicker, false);
  scene_.restart(off);
  scene_.scale("web", 2);
  scene_.settle();
  EXPECT_EQ(scene_.picker_requests.size(), 1U);
  EXPECT_FALSE(scene_.decisions.back().picker.has_value());
  EXPECT_EQ(scene_.pods().size(), 2U);
  scene_.restart();
  scene_.scale("web", 1);
  scene_.settle_but_for_timers();
  ASSERT_EQ(scene_.picker_requests.size(), 2U);
  scene_.picker_answers({scene_.pods().front()});
  scene_.settle();
  EXPECT_EQ(record().outcome, Outcome::kAnswered);
  EXPECT_EQ(scene_.pods().size(), 1U);
}

TEST_F(PickerSyncTest, StoppingWaitsForNoPicker) {
  begin(1, {"a", "b"});
  scene_.controller().stop();
  EXPECT_TRUE(scene_.controller().idle());
  EXPECT_EQ(scene_.withdrawn.size(), 1U);
  EXPECT_TRUE(scene_.controller().wake_at().is_zero());
  scene_.picker_answers({"a"});
  EXPECT_TRUE(scene_.calls().empty());
  EXPECT_EQ(scene_.pods().size(), 2U);
}

TEST_F(PickerSyncTest, ASlowPickerDoesNotDelayOtherWorkloads) {
  begin(1, {"a", "b"});
  scene_.create_set("swift", 1);
  for (const char* name : {"s-1", "s-2"}) {
    scene_.create_pod(name, {.app = "swift", .owner = "swift"});
  }
  scene_.settle_but_for_timers();
  EXPECT_EQ(scene_.decisions.size(), 1U);
  EXPECT_EQ(scene_.decisions[0].replica_set, "swift");
  EXPECT_EQ(scene_.pods().size(), 3U);
}

TEST_F(PickerSyncTest, DuringARolloutItIsAskedUnlessTheOperatorSaysOtherwise) {
  constexpr std::string_view kOwned =
      R"({"ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment","name":"web",
          "uid":"deployment-uid","controller":true}]})";
  for (const bool during : {true, false}) {
    ControllerScene scene(make_replica_set_controller);
    scene.limits.during_rollouts = during;
    scene.restart();
    scene.create_set("web", 1, kPicker, kOwned);
    scene.create_set("new", 1, kPicker, kOwned);
    for (const char* name : {"a", "b"}) scene.create_pod(name);
    scene.create_pod("n", {.app = "new", .owner = "new"});
    scene.settle_but_for_timers();
    EXPECT_EQ(scene.picker_requests.size(), during ? 1U : 0U);
    EXPECT_EQ(scene.decisions.size(), during ? 0U : 1U);
  }
}

TEST_F(PickerSyncTest, UsingBothAPickerAndCostsIsReportedOnce) {
  scene_.create_set("web", 3, kPicker);
  for (const char* name : {"a", "b", "c"}) scene_.create_pod(name);
  scene_.create_pod("cheap",
                    {.annotations = R"({"controller.kubernetes.io/pod-deletion-cost":"-1"})"});
  scene_.create_pod("dear",
                    {.annotations = R"({"controller.kubernetes.io/pod-deletion-cost":"9"})"});
  for (int replicas : {3, 2}) {
    scene_.scale("web", replicas);
    scene_.settle_but_for_timers();
    scene_.picker_answers({"a", "b"});
    scene_.settle_but_for_timers();
  }
  EXPECT_EQ(scene_.decisions.size(), 2U);
  EXPECT_EQ(scene_.decisions[0].victims.at(0).name, "cheap");
  EXPECT_EQ(scene_.messages("PickerAndDeletionCost").size(), 1U);
}

TEST_F(PickerSyncTest, TheBreakerOfAFailingPickerOpensWithAnEvent) {
  begin(10, {});
  for (int i = 0; i < 16; ++i) scene_.create_pod("p-" + std::to_string(10 + i));
  int replicas = 16;
  const auto shrink = [&](bool answers) {
    scene_.scale("web", --replicas);
    const std::size_t asked = scene_.picker_requests.size();
    scene_.settle_but_for_timers();
    if (scene_.picker_requests.size() > asked) {
      if (answers) {
        scene_.picker_answers({scene_.pods().front()});
      } else {
        scene_.reply({.outcome = Outcome::kRefused});
      }
      scene_.settle_but_for_timers();
    }
    return record().outcome;
  };
  scene_.scale("web", 16);
  scene_.settle_but_for_timers();
  for (int i = 0; i < 5; ++i) EXPECT_EQ(shrink(false), Outcome::kRefused);
  EXPECT_EQ(scene_.messages("PickerBreakerOpen").size(), 1U);
  EXPECT_EQ(shrink(true), Outcome::kBreakerOpen);
  EXPECT_EQ(scene_.messages("PickerFailed").size(), 5U);
  scene_.pass_time(30 * kSecond);
  EXPECT_EQ(shrink(true), Outcome::kAnswered);
  EXPECT_EQ(scene_.messages("PickerBreakerClosed").size(), 1U);
  EXPECT_EQ(scene_.pods().size(), static_cast<std::size_t>(replicas));
}

TEST_F(PickerSyncTest, SecretsAppearInNoEventAndNoRecord) {
  scene_.request(model::Method::kPost, "/api/v1/namespaces/shop/secrets",
                 R"({"metadata":{"name":"picker"},"stringData":{"token":"hush-hush"}})", 201);
  begin(1, {"a", "b"},
        R"({"downscalePodPicker":{"http":{"host":"picker","httpHeaders":[{"name":"authorization",
            "valueFrom":{"secretKeyRef":{"name":"picker","key":"token"}}}]}}})");
  ASSERT_EQ(scene_.picker_requests.size(), 1U);
  EXPECT_EQ(scene_.picker_requests[0].headers.at(0).second, "hush-hush");
  scene_.reply({.outcome = Outcome::kStatusCode, .code = 401});
  scene_.settle();
  std::string told = boost::json::serialize(scene_.decisions.at(0).to_json());
  for (const auto& event : scene_.events) told += event.message;
  EXPECT_EQ(told.find("hush"), std::string::npos);
  EXPECT_NE(told.find(R"("outcome":"status code","endpoint":"http://picker:80","code":401)"),
            std::string::npos);
}

TEST_F(PickerSyncTest, APolicyNamesAPickerAndTheOlderOneCounts) {
  const auto create_policy = [&](std::string_view name, std::string_view kind,
                                 std::string_view target, std::string_view host) {
    scene_.now.wall = later_by(scene_.now.wall, kSecond);
    scene_.request(model::Method::kPost, "/apis/ebb.dev/v1alpha1/namespaces/shop/downscalepolicies",
                   fmt::format(R"({{"apiVersion":"ebb.dev/v1alpha1","kind":"DownscalePolicy",
                         "metadata":{{"name":"{}"}},"spec":{{"targetRef":{{"kind":"{}","name":"{}"}},
                         "podPicker":{{"http":{{"host":"{}"}}}}}}}})",
                               name, kind, target, host),
                   201);
  };
  const auto asked = [&] {
    scene_.settle_but_for_timers();
    std::string host =
        scene_.picker_requests.empty() ? "" : scene_.picker_requests.back().settings->host;
    scene_.picker_requests.clear();
    scene_.restart();
    return host;
  };
  constexpr std::string_view kOwned =
      R"({"ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment","name":"shop",
          "uid":"deployment-uid","controller":true}]})";
  scene_.create_set("web", 1, "{}", kOwned);
  for (const char* name : {"a", "b"}) scene_.create_pod(name);
  create_policy("elsewhere", "ReplicaSet", "other", "nobody");
  create_policy("z-first", "Deployment", "shop", "deployment");
  create_policy("a-second", "Deployment", "shop", "younger");
  EXPECT_EQ(asked(), "deployment");
  create_policy("own", "ReplicaSet", "web", "own");
  EXPECT_EQ(asked(), "own");
  scene_.patch(std::string(kSet), R"({"spec":{"downscalePodPicker":{"http":{"host":"field"}}}})");
  EXPECT_EQ(asked(), "field");
  // The record names the same host.
  scene_.patch(std::string(kSet), R"({"spec":{"downscalePodPicker":null}})");
  scene_.settle_but_for_timers();
  scene_.picker_answers({"a"});
  scene_.settle();
  EXPECT_EQ(record().carrier, "DownscalePolicy/own");
}

TEST_F(PickerSyncTest, InFullContextThePickerLearnsNodesAndZones) {
  scene_.request(model::Method::kPost, "/api/v1/nodes",
                 R"({"metadata":{"name":"node-1","labels":{"topology.kubernetes.io/zone":"z1"}}})",
                 201);
  begin(1, {"a", "b"}, R"({"downscalePodPicker":{"http":{"host":"picker"},"context":"full"}})");
  ASSERT_EQ(scene_.picker_requests.size(), 1U);
  EXPECT_NE(scene_.picker_requests[0].body->find(R"("z1")"), std::string::npos)
      << *scene_.picker_requests[0].body;
}

}  // namespace
}  // namespace ebb::control
