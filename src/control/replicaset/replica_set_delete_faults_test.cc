// What the ReplicaSet controller does when deletions are refused or lost.
#include <gtest/gtest.h>

#include "control/replicaset/expectations.h"
#include "control/replicaset/replica_set_controller.h"
#include "support/control/replica_set_faults.h"
#include "support/objects/pods.h"

namespace ebb::control {
namespace {

using testing::ControllerScene;
using testing::kMinute;
using testing::kSecond;
using testing::ReplicaSetFaults;
using Names = std::vector<std::string>;

TEST_F(ReplicaSetFaults, ADeletionOfUnknownOutcomeIsRepeatedForTheSamePod) {
  start_with_pods(2, 3);
  const std::string first = scene_.calls().at(0);
  scene_.lose_before("DELETE");
  EXPECT_EQ(scene_.decisions.at(0).victims.at(0).outcome, "unknown, will be repeated");
  scene_.carry_out("PUT");
  scene_.see_all();
  for (int i = 0; i < 4; ++i) {
    scene_.pass_time(5 * kSecond);
    ASSERT_EQ(scene_.calls(), Names{first});
    scene_.refuse("DELETE", 503, "overloaded");
  }
  EXPECT_EQ(scene_.counted(Count::kDeletesRepeated), 4);
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 2U);
  EXPECT_EQ(scene_.messages("SuccessfulDelete").size(), 1U);
  EXPECT_TRUE(scene_.messages("FailedDelete").empty());
  EXPECT_EQ(scene_.decisions.size(), 1U);
  EXPECT_EQ(settled(), Names{"deleted"});
}

TEST_F(ReplicaSetFaults, ADeletionCarriedOutUnheardIsNotRepeatedOnceItIsSeen) {
  start_with_pods(2, 3);
  scene_.lose_after("DELETE");
  scene_.settle();
  scene_.pass_time(kMinute);
  EXPECT_EQ(ever_sent("DELETE"), 1U);
  EXPECT_EQ(scene_.pods().size(), 2U);
  EXPECT_EQ(settled(), Names{"deleted"});
}

TEST_F(ReplicaSetFaults, ADeletionCarriedOutUnheardIsHarmlessToRepeat) {
  start_with_pods(2, 3);
  scene_.lose_after("DELETE");
  scene_.pass_time(kSecond);  // the watch is slow
  scene_.carry_out("DELETE");
  EXPECT_EQ(scene_.counted(Count::kDeletesRepeated), 1);
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 2U);
  EXPECT_EQ(scene_.decisions.size(), 1U);
}

TEST_F(ReplicaSetFaults, AnUnknownDeletionIsNotRepeatedIfThePodIsWantedAgain) {
  start_with_pods(2, 3);
  scene_.lose_before("DELETE");
  scene_.carry_out("PUT");
  scene_.scale("web", 3);
  scene_.settle();
  EXPECT_EQ(ever_sent("DELETE"), 1U);
  EXPECT_EQ(ever_sent("GET pods"), 1U);  // it might have happened after all
  EXPECT_EQ(scene_.pods().size(), 3U);
  EXPECT_EQ(ever_sent("POST pods"), 0U);
  EXPECT_EQ(settled(), Names{"not deleted"});
  scene_.scale("web", 1);
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 1U);
}

TEST_F(ReplicaSetFaults, ARefusedRepetitionWaitsUntilTheFirstTryHasCertainlyLanded) {
  start_with_pods(2, 3);
  const std::string first = scene_.calls().at(0);
  scene_.lose_before("DELETE");
  scene_.carry_out("PUT");
  scene_.see_all();
  scene_.pass_time(kSecond);
  scene_.refuse("DELETE", 403, "no");
  EXPECT_EQ(scene_.messages("FailedDelete"), Names{"Error deleting: no"});
  scene_.pass_time(3 * kSecond);
  EXPECT_EQ(scene_.count_calls("DELETE"), 0U);
  EXPECT_EQ(scene_.count_calls("GET pods"), 0U);
  EXPECT_EQ(settled(), Names{});
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 2U);
  EXPECT_EQ(settled(), Names{"not deleted"});
}

TEST_F(ReplicaSetFaults, ARefusedDeletionFreesThePodForAnotherChoice) {
  start_with_pods(2, 3);
  scene_.refuse("DELETE", 403, "not allowed");
  EXPECT_EQ(scene_.messages("FailedDelete"), Names{"Error deleting: not allowed"});
  EXPECT_EQ(scene_.decisions.at(0).victims.at(0).outcome, "refused: not allowed");
  scene_.carry_out("PUT");
  EXPECT_NE(scene_.status("web", "conditions")
                .find(R"("reason":"FailedDelete","message":"unable to delete pods: not allowed")"),
            std::string::npos);
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 2U);
  EXPECT_EQ(scene_.decisions.size(), 2U);
}

TEST_F(ReplicaSetFaults, AConflictWithoutAPreconditionIsARefusal) {
  start_with_pods(2, 3);
  scene_.refuse("DELETE", 409, "please try again");
  EXPECT_EQ(scene_.counted(Count::kDeletesRefused), 1);
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 2U);
}

TEST_F(ReplicaSetFaults, APodThatIsGoneAlreadyIsAwaitedUntilTheCacheAgrees) {
  start_with_pods(1, 3);
  const std::string victim = scene_.calls().at(0).substr(12);
  scene_.delete_pod(victim);
  scene_.carry_out("DELETE");
  EXPECT_EQ(scene_.counted(Count::kDeletesMissed), 1);
  EXPECT_EQ(scene_.decisions.at(0).victims.at(0).outcome, "gone already");
  EXPECT_TRUE(scene_.messages("FailedDelete").empty());
  scene_.carry_out("PUT");
  scene_.pass_time(kMissedConfirmedAfterNs - 1);
  EXPECT_TRUE(scene_.calls().empty());
  scene_.pass_time(1);
  ASSERT_EQ(scene_.count_calls("GET"), 1U);
  scene_.carry_out("GET");
  // The list confirms it, and the cache has yet to show it.
  scene_.pass_time(kMinute);
  EXPECT_TRUE(scene_.calls().empty());
  EXPECT_TRUE(scene_.messages("FailedDelete").empty());
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 1U);
  EXPECT_EQ(scene_.decisions.size(), 1U);
}

constexpr std::string_view kDenied = R"(admission webhook "no.example.com" denied the request: )";

// Whatever code a webhook chooses for its denial, the pod is still there.
TEST_F(ReplicaSetFaults, ADenialThatLooksLikeSomethingElseIsARefusal) {
  struct Row {
    int code;
    std::string words;
  };
  const Row rows[] = {{404, R"(pods "a" not found)"},
                      {409, "Precondition failed: UID in precondition: 1, UID in object meta: 2"},
                      {500, "Internal error occurred"},
                      {504, "Timeout"}};
  start_with_pods(2, 3);
  int refused = 0;
  for (const Row& row : rows) {
    SCOPED_TRACE(row.code);
    ASSERT_EQ(scene_.count_calls("DELETE"), 1U);
    scene_.refuse("DELETE", row.code, std::string(kDenied) + row.words);
    EXPECT_EQ(scene_.counted(Count::kDeletesRefused), ++refused);
    if (scene_.count_calls("PUT") > 0) scene_.carry_out("PUT");
    scene_.see_all();
    scene_.pass_time(2 * kSecond);
  }
  EXPECT_EQ(scene_.counted(Count::kDeletesMissed), 0);
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 2U);
}

TEST_F(ReplicaSetFaults, APodThatIsWronglySaidToBeGoneIsDeletedAfterAList) {
  start_with_pods(2, 3);
  scene_.refuse("DELETE", 404, "the server could not find the requested resource");
  EXPECT_EQ(scene_.counted(Count::kDeletesMissed), 1);
  scene_.carry_out("PUT");
  scene_.see_all();
  scene_.pass_time(kMissedConfirmedAfterNs);
  ASSERT_EQ(scene_.count_calls("GET"), 1U);
  scene_.carry_out("GET");
  EXPECT_EQ(scene_.messages("FailedDelete").size(), 1U);
  scene_.pass_time(kSecond);
  EXPECT_EQ(scene_.count_calls("DELETE"), 1U);
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 2U);
}

TEST_F(ReplicaSetFaults, ADenialThatSpeaksOfATerminatingNamespaceIsRetried) {
  start_with_pods(3, 2);
  ASSERT_EQ(scene_.count_calls("POST"), 1U);
  scene_.refuse("POST", 403, std::string(kDenied) + "later", "NamespaceTerminating");
  EXPECT_EQ(scene_.counted(Count::kCreatesRefused), 1);
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 3U);
}

// Its outcome is known: nothing was created, so nothing has to be awaited.
TEST_F(ReplicaSetFaults, ADenialByAServerErrorCreatesNothing) {
  start_with_pods(3, 2);
  scene_.refuse("POST", 500, std::string(kDenied) + "broken");
  EXPECT_EQ(scene_.counted(Count::kCreatesUnknown), 0);
  EXPECT_EQ(scene_.counted(Count::kCreatesRefused), 1);
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 3U);
}

TEST_F(ReplicaSetFaults, APodOfTheSameNameButAnotherUidIsSpared) {
  start_with_pods(1, 2);
  const std::string victim = scene_.calls().at(0).substr(12);
  scene_.delete_pod(victim);
  scene_.create_pod(victim);
  scene_.carry_out("DELETE");
  EXPECT_EQ(scene_.counted(Count::kDeletesMissed), 1);
  EXPECT_EQ(scene_.pods().size(), 2U);
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 1U);
}

TEST_F(ReplicaSetFaults, WithoutRepetitionAnUnknownDeletionIsDecidedAgain) {
  ControllerScene scene(make_replica_set_controller, {.repeats_unknown_deletes = false});
  scene.create_set("web", 0);
  scene.create_pod("a");
  scene.see_all();
  scene.run();
  scene.lose_before("DELETE");
  EXPECT_EQ(scene.messages("FailedDelete").size(), 1U);
  scene.settle();
  EXPECT_EQ(scene.decisions.size(), 2U);
}

TEST_F(ReplicaSetFaults, ADeletionIsNotRepeatedForAPodThatWasReleased) {
  start_with_pods(0, 1);
  scene_.lose_before("DELETE");
  scene_.carry_out("PUT");
  scene_.patch("/api/v1/namespaces/shop/pods/a", R"({"metadata":{"labels":{"app":"mine"}}})");
  scene_.settle();
  EXPECT_EQ(scene_.pods(), Names{"a"});
  EXPECT_EQ(ever_sent("DELETE"), 1U);
}

TEST_F(ReplicaSetFaults, OnlyAsManyDeletionsAreSentAsAreStillTooMany) {
  start_with_pods(2, 6);
  ASSERT_EQ(scene_.count_calls("DELETE"), 4U);
  const std::string dead = scene_.calls().at(3).substr(12);
  scene_.delete_pod(dead);
  scene_.scale("web", 3);
  scene_.see_all();
  scene_.withdraw_unwanted();
  EXPECT_EQ(scene_.count_calls("DELETE"), 2U);
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 3U);
  EXPECT_TRUE(scene_.messages("SuccessfulCreate").empty());
  EXPECT_TRUE(scene_.messages("FailedDelete").empty());
  EXPECT_EQ(scene_.decisions.at(0).victims.at(3).outcome, "not wanted any more");
}

}  // namespace
}  // namespace ebb::control
