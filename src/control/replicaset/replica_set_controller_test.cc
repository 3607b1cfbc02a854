// What a ReplicaSet controller does when all goes well, after upstream's own scenarios.
#include "control/replicaset/replica_set_controller.h"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/deadline_queue.h"
#include "control/core/json_document.h"
#include "schema/core/json.h"
#include "support/control/controller_scene.h"
#include "support/objects/pods.h"

namespace ebb::control {
namespace {

using testing::ControllerScene;
using testing::kSecond;
using Names = std::vector<std::string>;

class ReplicaSetControllerTest : public ::testing::Test {
 protected:
  // A ReplicaSet `web` with Ready pods a, b, c ...; everything is seen.
  void start_with_pods(int replicas, int pods, std::string_view spec = "{}") {
    scene_.create_set("web", replicas, spec);
    for (int i = 0; i < pods; ++i) scene_.create_pod(std::string(1, static_cast<char>('a' + i)));
    scene_.see_all();
  }

  ControllerScene scene_{make_replica_set_controller};
};

TEST_F(ReplicaSetControllerTest, DoesNothingButWriteTheStatusWhenTheNumberIsRight) {
  start_with_pods(2, 2);
  scene_.run();
  EXPECT_EQ(scene_.calls(), Names{"PUT replicasets/web/status"});
  scene_.settle();
  EXPECT_EQ(scene_.history.size(), 1U);
  EXPECT_EQ(scene_.status("web", "readyReplicas"), "2");
  EXPECT_EQ(scene_.status("web", "observedGeneration"), "1");
}

TEST_F(ReplicaSetControllerTest, CreatesMissingPodsInGrowingBatches) {
  scene_.create_set("web", 10);
  scene_.see_all();
  scene_.run();
  for (const std::size_t batch : {1U, 2U, 4U, 3U}) {
    EXPECT_EQ(scene_.count_calls("POST pods"), batch);
    scene_.carry_out("POST pods");
  }
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 10U);
  EXPECT_EQ(scene_.messages("SuccessfulCreate").size(), 10U);
  EXPECT_EQ(scene_.messages("SuccessfulCreate")[0].find("Created pod: web-"), 0U);
  EXPECT_EQ(scene_.status("web", "replicas"), "10");
}

TEST_F(ReplicaSetControllerTest, MakesPodsAfterTheTemplate) {
  scene_.create_set("web", 1, R"({"template":{"metadata":{"labels":{"app":"web","tier":"a"},
      "annotations":{"note":"x"},"finalizers":["example.com/f"]},
      "spec":{"containers":[{"name":"c","image":"i"}],"nodeSelector":{"disk":"ssd"}}}})");
  scene_.see_all();
  scene_.run();
  const auto body = *parse_document(scene_.call("POST pods").request.body);
  const auto set = scene_.get("/apis/apps/v1/namespaces/shop/replicasets/web");
  EXPECT_EQ(boost::json::serialize(body.at("metadata")),
            fmt::format(R"({{"generateName":"web-","labels":{{"app":"web","tier":"a"}},)"
                        R"("annotations":{{"note":"x"}},"finalizers":["example.com/f"],)"
                        R"("ownerReferences":[{{"apiVersion":"apps/v1","kind":"ReplicaSet",)"
                        R"("name":"web","uid":"{}","controller":true,)"
                        R"("blockOwnerDeletion":true}}]}})",
                        schema::text_at(set, {"metadata", "uid"})));
  EXPECT_EQ(body.at("spec"), set.at("spec").at("template").at("spec"));
  EXPECT_EQ(body.size(), 4U);  // and apiVersion and kind
}

TEST_F(ReplicaSetControllerTest, DeletesTheSurplusAllAtOnceWithTheUidOfEachPod) {
  start_with_pods(2, 5);
  scene_.run();
  ASSERT_EQ(scene_.count_calls("DELETE pods/"), 3U);
  EXPECT_EQ(scene_.count_calls(""), 3U);  // the status waits for them
  const std::string name = scene_.calls()[0].substr(std::string_view("DELETE pods/").size());
  const auto options = *parse_document(scene_.call("DELETE pods/").request.body);
  EXPECT_EQ(schema::text_at(options, {"preconditions", "uid"}),
            scene_.store->pod("shop", name)->uid.view());
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 2U);
  EXPECT_EQ(scene_.messages("SuccessfulDelete").size(), 3U);
  EXPECT_EQ(scene_.status("web", "replicas"), "2");
  EXPECT_EQ(scene_.history.size(), 5U);  // and two statuses
}

// Nothing is created before all orphans are adopted.
TEST_F(ReplicaSetControllerTest, AdoptsFiveHundredPodsAtATime) {
  for (int i = 0; i < 1'100; ++i) scene_.create_pod(fmt::format("o-{}", i), {.owner = ""});
  scene_.create_set("web", 1'100);
  scene_.see_all();
  scene_.run();
  scene_.carry_out("GET");
  std::vector<std::size_t> batches;
  while (const std::size_t batch = scene_.count_calls("PATCH pods")) {
    scene_.carry_out("PATCH pods");
    batches.push_back(batch);
  }
  EXPECT_EQ(batches, (std::vector<std::size_t>{500, 500, 100}));
  EXPECT_EQ(scene_.count_calls("POST pods"), 0U);
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 1'100U);
  EXPECT_EQ(scene_.status("web", "replicas"), "1100");
}

TEST_F(ReplicaSetControllerTest, NeverTouchesMoreThanFiveHundredPodsInAPass) {
  scene_.create_set("web", 1200);
  scene_.see_all();
  scene_.run();
  std::size_t created = 0;
  while (const std::size_t batch = scene_.count_calls("POST pods")) {
    scene_.carry_out("POST pods");
    created += batch;
  }
  EXPECT_EQ(created, 500U);
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 1200U);
  scene_.scale("web", 100);
  scene_.see_all();
  scene_.run();
  EXPECT_EQ(scene_.count_calls("DELETE pods/"), 500U);
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 100U);
  EXPECT_EQ(scene_.decisions.size(), 3U);
}

TEST_F(ReplicaSetControllerTest, DecidesNothingFurtherWhileHundredsOfCallsAreUnderWay) {
  for (const char* name : {"a", "b", "c"}) scene_.create_set(name, 300);
  scene_.settle();
  ASSERT_EQ(scene_.pods().size(), 900U);
  for (const char* name : {"a", "b", "c"}) scene_.scale(name, 0);
  scene_.see_all();
  scene_.run();
  EXPECT_EQ(scene_.count_calls("DELETE pods/"), 600U);
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 0U);
  EXPECT_EQ(scene_.status("c", "replicas"), "0");
}

TEST_F(ReplicaSetControllerTest, ATerminatingPodIsReplacedAtOnce) {
  start_with_pods(2, 2);
  scene_.settle();
  scene_.delete_pod("a", 30);
  scene_.see_all();
  scene_.run();
  EXPECT_EQ(scene_.count_calls("POST pods"), 1U);
  scene_.settle();
  EXPECT_EQ(scene_.status("web", "terminatingReplicas"), "1");
}

TEST_F(ReplicaSetControllerTest, ExpectationsHoldBackTheNextRoundButNotTheStatus) {
  scene_.create_set("web", 1);
  scene_.see_all();
  scene_.run();
  scene_.carry_out("POST pods");
  scene_.carry_out("PUT replicasets/web/status");
  scene_.see(Resource::kReplicaSets);
  scene_.scale("web", 2);
  scene_.see(Resource::kReplicaSets);
  scene_.run();
  // Nothing is known of the pod, so nothing is created; the generation is acknowledged.
  // (The protection against stale caches would hold it back altogether.)
  EXPECT_EQ(scene_.count_calls("POST pods"), 0U);
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 2U);
}

TEST_F(ReplicaSetControllerTest, ExpectationsAloneHoldBackTheNextRoundButNotTheStatus) {
  ControllerScene scene(make_replica_set_controller, {.stale_cache_protection = false});
  scene.create_set("web", 1);
  scene.see_all();
  scene.run();
  scene.carry_out("POST pods");
  scene.carry_out("PUT replicasets/web/status");
  scene.scale("web", 2);
  scene.see(Resource::kReplicaSets);
  scene.run();
  EXPECT_EQ(scene.calls(), Names{"PUT replicasets/web/status"});
  scene.see_all();
  scene.carry_out("PUT replicasets/web/status");
  EXPECT_EQ(scene.count_calls("POST pods"), 1U);
  scene.settle();
  EXPECT_EQ(scene.pods().size(), 2U);
}

TEST_F(ReplicaSetControllerTest, DeletionsAreExpectedOneByOne) {
  start_with_pods(1, 3);
  scene_.run();
  scene_.carry_out("DELETE pods/");
  scene_.carry_out("PUT replicasets/web/status");
  scene_.scale("web", 0);
  scene_.see(Resource::kReplicaSets);
  scene_.run();
  EXPECT_EQ(scene_.count_calls("DELETE"), 0U);
  scene_.see_next();  // one of two deletions
  scene_.run();
  EXPECT_EQ(scene_.count_calls("DELETE"), 0U);
  scene_.settle();
  EXPECT_TRUE(scene_.pods().empty());
}

TEST_F(ReplicaSetControllerTest, AnUpdateToDeletingAndTheDeletionItselfCountOnce) {
  scene_.create_set("web", 0);
  for (const char* name : {"a", "b"}) {
    scene_.create_pod(name, {.finalizers = R"(["example.com/wait"])"});
  }
  scene_.see_all();
  scene_.run();
  scene_.carry_out("DELETE pods/a");
  scene_.see_all();  // a is deleting
  scene_.patch("/api/v1/namespaces/shop/pods/a", R"({"metadata":{"finalizers":null}})");
  scene_.see_all();  // a is gone
  scene_.scale("web", 1);
  scene_.see_all();
  scene_.carry_out("DELETE pods/b");
  scene_.carry_out("PUT");
  // b is still expected to go, so nothing is created in its place yet.
  EXPECT_EQ(scene_.count_calls("POST pods"), 0U);
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 1U);
}

TEST_F(ReplicaSetControllerTest, AReplicaSetThatIsBeingDeletedOnlyGetsAStatus) {
  scene_.create_set("web", 3, "{}", R"({"finalizers":["example.com/wait"]})");
  scene_.create_pod("orphan", {.owner = ""});
  scene_.request(model::Method::kDelete, "/apis/apps/v1/namespaces/shop/replicasets/web", "{}",
                 200);
  scene_.see_all();
  scene_.settle();
  EXPECT_EQ(scene_.history, Names{"PUT replicasets/web/status"});
}

TEST_F(ReplicaSetControllerTest, AdoptsMatchingOrphansAfterOneLiveLookAtTheOwner) {
  scene_.create_set("web", 2);
  scene_.create_pod("b", {.owner = ""});
  scene_.create_pod("a", {.owner = ""});
  scene_.create_pod("other", {.app = "other", .owner = ""});
  scene_.see_all();
  scene_.run();
  EXPECT_EQ(scene_.calls(), Names{"GET replicasets/web"});
  scene_.carry_out();
  EXPECT_EQ(scene_.calls(), (Names{"PATCH pods/a", "PATCH pods/b"}));
  EXPECT_EQ(scene_.call("PATCH").request.content_type, "application/strategic-merge-patch+json");
  scene_.settle();
  EXPECT_EQ(scene_.counted(Count::kAdoptions), 2);
  EXPECT_EQ(scene_.status("web", "replicas"), "2");
  EXPECT_EQ(scene_.pods(), (Names{"a", "b", "other"}));
}

TEST_F(ReplicaSetControllerTest, ReleasesPodsItNoLongerSelectsAndReplacesThem) {
  start_with_pods(2, 2);
  scene_.settle();
  scene_.patch("/api/v1/namespaces/shop/pods/a", R"({"metadata":{"labels":{"app":"debug"}}})");
  scene_.see_all();
  scene_.run();
  EXPECT_EQ(scene_.calls(), Names{"PATCH pods/a"});
  const auto body = *parse_document(scene_.call("PATCH").request.body);
  EXPECT_EQ(boost::json::serialize(body.at("metadata").at("ownerReferences")),
            fmt::format(R"([{{"$patch":"delete","uid":"{}"}}])",
                        scene_.store->replica_set("shop", "web")->uid.view()));
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 3U);
  EXPECT_EQ(scene_.counted(Count::kReleases), 1);
  const auto pod = scene_.get("/api/v1/namespaces/shop/pods/a");
  EXPECT_EQ(schema::lookup(pod, {"metadata", "ownerReferences"}), nullptr);
}

TEST_F(ReplicaSetControllerTest, PodsOfOthersAreLeftAlone) {
  scene_.create_set("web", 2);
  scene_.create_set("rival", 1, R"({"selector":{"matchLabels":{"app":"web"}},
      "template":{"metadata":{"labels":{"app":"web"}},
                  "spec":{"containers":[{"name":"c","image":"i"}]}}})");
  scene_.create_pod("theirs", {.owner = "rival"});
  scene_.see_all();
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 3U);
  EXPECT_EQ(scene_.counted(Count::kAdoptions), 0);
}

TEST_F(ReplicaSetControllerTest, LooksAgainExactlyWhenTheNextPodBecomesAvailable) {
  scene_.now.wall = Timestamp::from_nanoseconds(testing::kNow.since_epoch_ns() + 300'000'000);
  scene_.create_set("web", 3, R"({"minReadySeconds":5})");
  scene_.create_pod("a", {.ready_for_ns = 0});
  scene_.create_pod("b", {.ready_for_ns = 2 * kSecond});
  scene_.create_pod("c", {.ready_for_ns = 4 * kSecond});
  scene_.see_all();
  scene_.run();
  scene_.carry_out();
  scene_.see_all();
  scene_.run();
  EXPECT_EQ(scene_.status("web", "readyReplicas"), "3");
  EXPECT_EQ(scene_.status("web", "availableReplicas"), "");
  EXPECT_EQ(elapsed_ns(scene_.now.mono, scene_.controller().wake_at()), 700'000'000);
  scene_.settle();
  EXPECT_EQ(scene_.status("web", "availableReplicas"), "3");
  EXPECT_EQ(elapsed_ns(testing::kNow, scene_.now.wall), 5 * kSecond);
}

TEST_F(ReplicaSetControllerTest, WritesTheStatusAgainAfterAFreshRead) {
  start_with_pods(2, 2);
  scene_.run();
  scene_.patch("/apis/apps/v1/namespaces/shop/replicasets/web",
               R"({"metadata":{"labels":{"changed":"meanwhile"}}})");
  scene_.carry_out("PUT");
  EXPECT_EQ(scene_.calls(), Names{"GET replicasets/web"});
  scene_.carry_out("GET");
  EXPECT_EQ(scene_.calls(), Names{"PUT replicasets/web/status"});
  scene_.carry_out("PUT");
  EXPECT_EQ(scene_.status("web", "replicas"), "2");
  EXPECT_EQ(scene_.counted(Count::kStatusConflicts), 1);
  EXPECT_EQ(scene_.history.size(), 3U);
}

TEST_F(ReplicaSetControllerTest, AStatusThatCannotBeWrittenIsTriedAgainLater) {
  start_with_pods(2, 2);
  scene_.run();
  scene_.refuse("PUT", 500);
  scene_.carry_out("GET");
  scene_.refuse("PUT", 500);
  EXPECT_TRUE(scene_.calls().empty());
  EXPECT_EQ(scene_.counted(Count::kQueueRetries), 1);
  scene_.settle();
  EXPECT_EQ(scene_.status("web", "replicas"), "2");
}

TEST_F(ReplicaSetControllerTest, RecordsWhichPodsWentAndWhy) {
  scene_.create_set("web", 2);
  scene_.create_pod("cheap",
                    {.annotations = R"({"controller.kubernetes.io/pod-deletion-cost":"-5"})"});
  scene_.create_pod("unready", {.ready = false});
  scene_.create_pod("x");
  scene_.create_pod("y");
  scene_.see_all();
  scene_.settle();
  EXPECT_EQ(scene_.pods(), (Names{"x", "y"}));
  ASSERT_EQ(scene_.decisions.size(), 1U);
  const Decision& decision = scene_.decisions[0];
  EXPECT_EQ(decision.from, 4);
  EXPECT_EQ(decision.to, 2);
  EXPECT_EQ(decision.candidates, 4U);
  ASSERT_EQ(decision.victims.size(), 2U);
  EXPECT_EQ(decision.victims[0].name, "unready");
  EXPECT_EQ(decision.victims[0].rule, "NotReady");
  EXPECT_EQ(decision.victims[0].outcome, "deleted");
  EXPECT_EQ(decision.victims[1].name, "cheap");
  EXPECT_EQ(scene_.messages("DownscaleDecision"),
            Names{"2 of 4 pods go: 1 by not ready, 1 by deletion cost"});
  EXPECT_EQ(scene_.events.back().component, "ebb");
  EXPECT_EQ(scene_.labelled["DeletionCost"], 1);
  EXPECT_EQ(decision.summary(),
            "2 pods of shop/web go: unready (not ready), cheap (deletion cost)");
}

TEST_F(ReplicaSetControllerTest, AnOverlappingReplicaSetIsNotWokenByPodsThatHaveAnOwner) {
  for (const char* name : {"web", "rival"}) {
    scene_.create_set(name, 0, R"({"selector":{"matchLabels":{"app":"web"}},
        "template":{"metadata":{"labels":{"app":"web"}},
                    "spec":{"containers":[{"name":"c","image":"i"}]}}})");
  }
  scene_.see_all();
  scene_.settle();
  scene_.history.clear();
  scene_.create_pod("a", {.owner = "web"});
  scene_.see_all();
  scene_.run();
  EXPECT_EQ(scene_.calls(), Names{"DELETE pods/a"});
  EXPECT_TRUE(scene_.controller().wake_at().is_zero());
}

TEST_F(ReplicaSetControllerTest, WhenStoppedItFinishesInFlightWorkAndBeginsNothing) {
  scene_.create_set("web", 10);
  scene_.see_all();
  scene_.run();
  scene_.controller().stop();
  EXPECT_FALSE(scene_.controller().idle());
  scene_.carry_out("POST pods");
  scene_.carry_out("PUT");
  EXPECT_TRUE(scene_.controller().idle());
  EXPECT_EQ(scene_.pods().size(), 1U);
  scene_.see_all();
  scene_.run();
  EXPECT_TRUE(scene_.calls().empty());
  EXPECT_TRUE(scene_.controller().wake_at().is_zero());
}

// A cost that is written during a scale-down comes too late for that one and counts for the next.
TEST_F(ReplicaSetControllerTest, ACostCountsFromTheFirstDecisionThatKnowsIt) {
  scene_.create_set("web", 3);
  for (const char* name : {"a", "b", "c"}) {
    scene_.create_pod(name);
    scene_.now.wall = later_by(scene_.now.wall, 3600 * kSecond);  // older is safer
  }
  scene_.settle();
  scene_.scale("web", 2);
  scene_.see_all();
  scene_.run();
  ASSERT_EQ(scene_.count_calls("DELETE pods/c"), 1U);
  scene_.patch("/api/v1/namespaces/shop/pods/a", R"({"metadata":{"annotations":{
      "controller.kubernetes.io/pod-deletion-cost":"-5"}}})");
  scene_.settle();
  EXPECT_EQ(scene_.decisions.back().victims.at(0).rule, "ReadyAge");
  EXPECT_EQ(scene_.pods().size(), 2U);
  scene_.scale("web", 1);
  scene_.settle();
  EXPECT_EQ(scene_.decisions.back().victims.at(0).rule, "DeletionCost");
}

TEST_F(ReplicaSetControllerTest, GatesChangeWhichPodsGoAndNothingElse) {
  scene_.create_set("web", 6);
  const std::string_view cheap = R"({"controller.kubernetes.io/pod-deletion-cost":"-5"})";
  for (const char* name : {"a", "b", "c", "d", "e", "f"}) {
    scene_.create_pod(name, {.annotations = name[0] == 'a' ? cheap : "{}"});
    scene_.now.wall = later_by(scene_.now.wall, 3600 * kSecond);  // older is safer
  }
  model::FeatureGates off;
  off.set(model::Gate::kPodDeletionCost, false);
  off.set(model::Gate::kDeploymentReplicaSetTerminatingReplicas, false);
  int replicas = 6;
  const auto next_victim = [&](model::FeatureGates gates) {
    scene_.restart(gates);
    scene_.settle();
    scene_.scale("web", --replicas);
    scene_.settle();
    return scene_.decisions.back().victims.at(0).rule;
  };
  EXPECT_EQ(next_victim(off), "ReadyAge");
  EXPECT_EQ(scene_.status("web", "terminatingReplicas"), "");
  EXPECT_EQ(next_victim({}), "DeletionCost");
  EXPECT_EQ(scene_.status("web", "terminatingReplicas"), "2");
  EXPECT_EQ(next_victim(off), "ReadyAge");
  EXPECT_EQ(scene_.status("web", "terminatingReplicas"), "");
  EXPECT_EQ(scene_.pods().size(), 3U);
}

}  // namespace
}  // namespace ebb::control
