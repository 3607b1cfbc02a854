// What the ReplicaSet controller does when calls are refused or lost, caches are stale and objects
// are replaced. Deletions have a file of their own.
#include "support/control/replica_set_faults.h"

#include <gtest/gtest.h>

#include "control/replicaset/replica_set_controller.h"
#include "support/objects/pods.h"

namespace ebb::control {
namespace {

using testing::ControllerScene;
using testing::kMinute;
using testing::kSecond;
using testing::ReplicaSetFaults;
using Names = std::vector<std::string>;

constexpr const char* kSet = "/apis/apps/v1/namespaces/shop/replicasets/web";

TEST_F(ReplicaSetFaults, SlowStartStopsAfterTheBatchInWhichOneWasRefused) {
  struct Case {
    std::size_t allowed, successes, calls;
  };
  for (const Case& c : {Case{0, 0, 1}, Case{10, 10, 10}, Case{5, 5, 7}}) {
    ControllerScene scene(make_replica_set_controller);
    scene.create_set("web", 10);
    scene.see_all();
    scene.run();
    std::size_t allowed = c.allowed;
    std::size_t calls = 0;
    while (scene.count_calls("POST pods") > 0) {
      const std::size_t batch = scene.count_calls("POST pods");
      calls += batch;
      for (std::size_t i = 0; i < batch && allowed > 0; ++i, --allowed) {
        scene.carry_out_first("POST pods");
      }
      if (allowed == 0 && scene.count_calls("POST pods") > 0) {
        scene.refuse("POST pods", 403, "exceeded quota");
        break;
      }
    }
    EXPECT_EQ(calls, c.calls);
    EXPECT_EQ(scene.pods().size(), c.successes);
    EXPECT_EQ(scene.messages("FailedCreate").size(), c.calls - c.successes);
  }
}

TEST_F(ReplicaSetFaults, AServerThatRefusesProtobufGetsJsonFromThenOn) {
  scene_.protobuf = true;
  scene_.restart();
  scene_.create_set("web", 2);
  scene_.see_all();
  scene_.run();
  EXPECT_EQ(scene_.call("POST pods").request.content_type, "application/vnd.kubernetes.protobuf");
  scene_.refuse("POST pods", 415, "unknown format");
  if (scene_.count_calls("PUT") > 0) scene_.carry_out("PUT");
  scene_.see_all();
  scene_.pass_time(kSecond);
  EXPECT_EQ(scene_.call("POST pods").request.content_type, "application/json");
  scene_.carry_out_first("POST pods");
  scene_.carry_out_first("POST pods");
  EXPECT_EQ(scene_.pods().size(), 2U);
}

TEST_F(ReplicaSetFaults, RefusedCreationsAreLoggedOnceAMinute) {
  start_with_pods(2, 1);
  const std::string line = "ReplicaSet shop/web cannot create pods: exceeded quota";
  for (int i = 0; i < 5; ++i) {
    scene_.refuse("POST pods", 403, "exceeded quota");
    if (scene_.count_calls("PUT") > 0) scene_.carry_out("PUT");
    scene_.see_all();
    scene_.pass_time(8 * kSecond);
    ASSERT_EQ(scene_.count_calls("POST pods"), 1U);
  }
  EXPECT_EQ(scene_.log_lines, Names{line});
  scene_.pass_time(kMinute);
  scene_.refuse("POST pods", 403, "exceeded quota");
  EXPECT_EQ(scene_.log_lines, (Names{line, line}));
}

TEST_F(ReplicaSetFaults, ARefusedCreationIsReportedAndRetried) {
  start_with_pods(2, 1);
  scene_.refuse("POST pods", 403, "exceeded quota");
  EXPECT_EQ(scene_.messages("FailedCreate"), Names{"Error creating: exceeded quota"});
  scene_.carry_out("PUT");
  const std::string conditions = scene_.status("web", "conditions");
  EXPECT_NE(conditions.find(R"("type":"ReplicaFailure","status":"True")"), std::string::npos)
      << conditions;
  EXPECT_NE(conditions.find(R"("reason":"FailedCreate","message":"exceeded quota")"),
            std::string::npos);
  // Its own status wakes it once more; after that it waits longer and longer.
  scene_.see_all();
  scene_.run();
  scene_.refuse("POST pods", 403, "exceeded quota");
  EXPECT_TRUE(scene_.calls().empty());
  scene_.pass_time(10'000'000);
  EXPECT_EQ(scene_.count_calls("POST pods"), 1U);
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 2U);
  EXPECT_EQ(scene_.status("web", "conditions"), "");
}

TEST_F(ReplicaSetFaults, ATerminatingNamespaceIsNotAFailure) {
  start_with_pods(1, 0);
  scene_.refuse("POST pods", 403, "is being terminated", "NamespaceTerminating");
  scene_.carry_out("PUT");
  scene_.settle();
  EXPECT_TRUE(scene_.messages("FailedCreate").empty());
  EXPECT_EQ(ever_sent("POST pods"), 1U);
  scene_.pass_time(6 * kMinute);  // two syncs
  EXPECT_EQ(scene_.calls(), Names{"GET pods"});
  scene_.carry_out("GET");
  EXPECT_EQ(scene_.calls(), Names{"POST pods"});
}

TEST_F(ReplicaSetFaults, ACreationOfUnknownOutcomeIsNotRepeatedBeforeALiveListSaysSo) {
  start_with_pods(2, 1);
  scene_.lose_before("POST pods");
  EXPECT_EQ(scene_.counted(Count::kCreatesUnknown), 1);
  EXPECT_EQ(scene_.messages("FailedCreate"),
            Names{"Error creating: the API server did not answer"});
  scene_.carry_out("PUT");
  scene_.see_all();
  scene_.pass_time(5 * kSecond - 1);
  EXPECT_EQ(scene_.count_calls("POST pods"), 0U);
  EXPECT_EQ(scene_.count_calls("GET pods"), 0U);
  scene_.settle();
  EXPECT_EQ(scene_.counted(Count::kPodsConfirmed), 1);
  EXPECT_EQ(scene_.pods().size(), 2U);
  EXPECT_EQ(ever_sent("POST pods"), 2U);
}

TEST_F(ReplicaSetFaults, ACreationThatWasCarriedOutUnheardIsFoundByALiveList) {
  start_with_pods(2, 1);
  scene_.lose_after("POST pods");
  scene_.carry_out("PUT");
  scene_.see(Resource::kReplicaSets);
  scene_.pass_time(6 * kSecond);
  // The watch is slow: the pod is known from the list and awaited.
  ASSERT_EQ(scene_.count_calls("GET pods"), 1U);
  EXPECT_EQ(scene_.call("GET pods").request.query, "labelSelector=app%3Dweb");
  scene_.carry_out("GET pods");
  scene_.pass_time(60 * kSecond);
  EXPECT_EQ(scene_.count_calls("POST pods"), 0U);
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 2U);
  EXPECT_EQ(ever_sent("POST pods"), 1U);
}

TEST_F(ReplicaSetFaults, APodThatIsGoneBeforeItWasEverSeenIsNotAwaitedOnceTheCacheIsPastIt) {
  start_with_pods(2, 1);
  scene_.lose_after("POST pods");
  scene_.carry_out("PUT");
  scene_.see(Resource::kReplicaSets);
  scene_.pass_time(6 * kSecond);
  scene_.carry_out("GET pods");
  scene_.pass_time(kSecond);
  scene_.carry_out("PUT");  // removes the condition of the failed create
  scene_.see(Resource::kReplicaSets);
  scene_.pass_time(kSecond);
  ASSERT_EQ(scene_.calls(), Names{});
  // The pod is deleted, and a new watch starts after that: the store sees only the revision.
  scene_.store->advance(Resource::kPods, scene_.store->seen(Resource::kPods) + 1000);
  scene_.run();
  EXPECT_EQ(scene_.count_calls("POST pods"), 1U);
  EXPECT_EQ(scene_.counted(Count::kExpectationsExpired), 0);
}

TEST_F(ReplicaSetFaults, TheCauseOfDoubtMayBeSeenBeforeTheList) {
  start_with_pods(2, 1);
  scene_.lose_after("POST pods");
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 2U);
  EXPECT_EQ(ever_sent("POST pods"), 1U);
  EXPECT_EQ(ever_sent("GET pods"), 1U);
}

TEST_F(ReplicaSetFaults, AListThatFailsIsRepeated) {
  start_with_pods(1, 0);
  scene_.lose_before("POST pods");
  scene_.carry_out("PUT");
  scene_.see_all();
  for (int i = 0; i < 3; ++i) {
    scene_.pass_time(10 * kSecond);
    scene_.refuse("GET pods", 500);
    EXPECT_EQ(scene_.count_calls("POST pods"), 0U);
  }
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 1U);
}

TEST_F(ReplicaSetFaults, ACreationThatWasNotSentIsSimplyTriedAgain) {
  start_with_pods(1, 0);
  scene_.drop_unsent("POST pods");
  scene_.carry_out("PUT");
  scene_.see_all();
  scene_.pass_time(kSecond);
  EXPECT_EQ(scene_.count_calls("POST pods"), 1U);
  scene_.settle();
  EXPECT_EQ(ever_sent("GET pods"), 0U);
}

TEST_F(ReplicaSetFaults, ExpectationsUnmetForFiveMinutesAreCheckedLive) {
  start_with_pods(2, 1);
  scene_.carry_out("POST pods");
  scene_.carry_out("PUT");
  scene_.see(Resource::kReplicaSets);
  scene_.pass_time(5 * kMinute - 1);
  EXPECT_TRUE(scene_.calls().empty());
  scene_.pass_time(1);
  EXPECT_EQ(scene_.calls(), Names{"GET pods"});
  EXPECT_EQ(scene_.counted(Count::kExpectationsExpired), 1);
  scene_.carry_out("GET pods");
  scene_.pass_time(kMinute);
  // It exists, so there is nothing to be created although the cache does not show it.
  EXPECT_EQ(scene_.count_calls("POST pods"), 0U);
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 2U);
}

TEST_F(ReplicaSetFaults, APodThatWasCreatedAndIsGoneUnseenIsCreatedAgain) {
  start_with_pods(1, 0);
  scene_.carry_out("POST pods");
  scene_.carry_out("PUT");
  scene_.delete_pod(scene_.pods().at(0));
  scene_.restart();  // a list, which shows neither
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 1U);
}

TEST_F(ReplicaSetFaults, NothingIsDoneOnACacheOlderThanOwnWrites) {
  ControllerScene scene(make_replica_set_controller, {.expectations = false});
  scene.create_set("web", 1);
  scene.see_all();
  scene.run();
  scene.carry_out("POST pods");
  scene.carry_out("PUT");
  scene.see(Resource::kReplicaSets);
  scene.run();
  EXPECT_TRUE(scene.calls().empty());
  EXPECT_GE(scene.labelled["pods"], 1);
  scene.pass_time(kMinute);
  EXPECT_TRUE(scene.calls().empty());
  scene.settle();
  EXPECT_EQ(scene.pods().size(), 1U);
}

TEST_F(ReplicaSetFaults, WithoutSafeguardsTooMuchIsCreated) {
  ControllerScene scene(make_replica_set_controller,
                        {.expectations = false, .stale_cache_protection = false});
  scene.create_set("web", 1);
  scene.see_all();
  scene.run();
  scene.carry_out("POST pods");
  scene.carry_out("PUT");
  scene.see(Resource::kReplicaSets);
  scene.run();
  EXPECT_EQ(scene.count_calls("POST pods"), 1U);
}

TEST_F(ReplicaSetFaults, ExpectationsDoNotPassToASuccessorOfTheSameName) {
  start_with_pods(1, 0);
  scene_.carry_out("POST pods");
  scene_.carry_out("PUT");
  scene_.see(Resource::kReplicaSets);
  scene_.request(model::Method::kDelete, kSet, R"({"propagationPolicy":"Background"})", 200);
  scene_.create_set("web", 1);
  scene_.see(Resource::kReplicaSets);
  scene_.run();
  EXPECT_EQ(scene_.count_calls("POST pods"), 1U);
}

// The cache still shows the ReplicaSet, but the garbage collector would delete its new pods.
TEST_F(ReplicaSetFaults, NothingIsMadeForAReplicaSetThatALiveReadHasNotFound) {
  start_with_pods(2, 0);
  scene_.request(model::Method::kDelete, kSet, R"({"propagationPolicy":"Background"})", 200);
  scene_.carry_out("POST pods");
  scene_.carry_out("POST pods");
  scene_.carry_out("PUT");
  scene_.carry_out("GET");
  for (const std::string& pod : scene_.pods()) scene_.delete_pod(pod);
  scene_.see(Resource::kPods);
  scene_.pass_time(kMinute);
  EXPECT_EQ(scene_.count_calls("POST pods"), 0U);
  scene_.create_set("web", 1);
  scene_.see_all();
  scene_.run();
  EXPECT_EQ(scene_.count_calls("POST pods"), 1U);
}

TEST_F(ReplicaSetFaults, AnswersForAPredecessorDoNotCountForTheSuccessor) {
  start_with_pods(3, 0);
  scene_.request(model::Method::kDelete, kSet, R"({"propagationPolicy":"Background"})", 200);
  scene_.create_set("web", 1);
  scene_.see_all();
  scene_.run();
  ASSERT_EQ(scene_.count_calls("POST pods"), 1U);  // of the first one
  scene_.lose_before("POST pods");
  // Not one more for it, and the new one starts at once.
  ASSERT_EQ(scene_.count_calls("POST pods"), 1U);
  EXPECT_NE(scene_.call("POST pods")
                .request.body.find(scene_.store->replica_set("shop", "web")->uid.view()),
            std::string::npos);
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 1U);
}

TEST_F(ReplicaSetFaults, FewerPodsWantedStopsTheCreationOfMore) {
  start_with_pods(10, 0);
  scene_.carry_out("POST pods");
  scene_.carry_out_first("POST pods");
  scene_.scale("web", 2);
  scene_.see(Resource::kReplicaSets);
  scene_.carry_out("POST pods");
  EXPECT_EQ(scene_.count_calls("POST pods"), 0U);
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 2U);
  EXPECT_EQ(ever_sent("POST pods"), 3U);
}

TEST_F(ReplicaSetFaults, NothingIsAdoptedIfTheOwnerIsBeingDeletedAndTheCacheDoesNotKnow) {
  scene_.create_set("web", 1, "{}", R"({"finalizers":["example.com/wait"]})");
  scene_.create_pod("a", {.owner = ""});
  scene_.see_all();
  scene_.request(model::Method::kDelete, kSet, "{}", 200);
  scene_.run();
  scene_.carry_out("GET replicasets/web");
  EXPECT_TRUE(scene_.calls().empty());
  EXPECT_EQ(scene_.counted(Count::kAdoptionsRefused), 1);
  EXPECT_EQ(scene_.counted(Count::kQueueRetries), 1);
}

TEST_F(ReplicaSetFaults, AnAdoptionThatFailsEndsThePassWithoutACreation) {
  scene_.create_set("web", 2);
  scene_.create_pod("a", {.owner = ""});
  scene_.create_pod("b", {.owner = ""});
  scene_.see_all();
  scene_.run();
  scene_.carry_out("GET");
  scene_.refuse("PATCH", 500);
  EXPECT_TRUE(scene_.calls().empty());
  EXPECT_EQ(scene_.counted(Count::kQueueRetries), 1);
  scene_.settle();
  EXPECT_EQ(scene_.pods(), (Names{"a", "b"}));
}

TEST_F(ReplicaSetFaults, AnOrphanThatIsGoneOrReplacedIsNotAdopted) {
  scene_.create_set("web", 2);
  scene_.create_pod("a", {.owner = ""});
  scene_.create_pod("b", {.owner = ""});
  scene_.see_all();
  scene_.run();
  scene_.carry_out("GET");
  scene_.delete_pod("a");
  scene_.carry_out("PATCH pods/a");  // 404
  scene_.delete_pod("b");
  scene_.create_pod("b", {.owner = ""});
  scene_.carry_out("PATCH pods/b");  // 422, and an error for adoptions
  EXPECT_EQ(scene_.counted(Count::kAdoptions), 0);
  EXPECT_EQ(scene_.counted(Count::kQueueRetries), 1);
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 2U);
  EXPECT_EQ(scene_.counted(Count::kAdoptions), 1);
}

TEST_F(ReplicaSetFaults, CreationsThatWaitedTooLongAreNotSent) {
  start_with_pods(10, 0);
  scene_.carry_out("POST pods");
  scene_.withdraw_unwanted();
  EXPECT_EQ(scene_.count_calls("POST pods"), 2U);  // all is as it was
  scene_.scale("web", 2);
  scene_.see_all();
  scene_.withdraw_unwanted();
  EXPECT_EQ(scene_.count_calls("POST pods"), 0U);
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 2U);
  EXPECT_TRUE(scene_.messages("FailedCreate").empty());
  EXPECT_TRUE(scene_.messages("SuccessfulDelete").empty());
}

TEST_F(ReplicaSetFaults, AdoptionsOfPodsThatAreGoneAreNotSent) {
  scene_.create_set("web", 1);
  scene_.create_pod("a", {.owner = ""});
  scene_.see_all();
  scene_.run();
  scene_.carry_out("GET");
  scene_.delete_pod("a");
  scene_.see_all();
  scene_.withdraw_unwanted();
  EXPECT_EQ(scene_.calls(), Names{"POST pods"});
  EXPECT_EQ(scene_.counted(Count::kQueueRetries), 0);
}

}  // namespace
}  // namespace ebb::control
