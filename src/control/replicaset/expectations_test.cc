#include "control/replicaset/expectations.h"

#include <gtest/gtest.h>

#include "base/deadline_queue.h"
#include "control/core/call.h"

namespace ebb::control {
namespace {

Now at(Nanoseconds since_start_ns) {
  const auto time = Timestamp::from_nanoseconds(1'000 * kSecond + since_start_ns);
  return {.wall = time, .mono = time};
}

bool yes(const std::string&, const std::string&) { return true; }
bool no(const std::string&, const std::string&) { return false; }

class ExpectationsTest : public ::testing::Test {
 protected:
  void expect_deletions(std::initializer_list<std::string> uids) {
    std::vector<PodName> pods;
    for (const std::string& uid : uids) pods.push_back({"pod-" + uid, uid});
    expected_.expect_deletions(pods, at(0));
  }
  static LivePods live(std::initializer_list<std::string> uids, model::Revision revision = 100) {
    LivePods pods{.revision = revision, .pods = {}};
    for (const std::string& uid : uids) pods.pods.push_back({.name = "pod-" + uid, .uid = uid});
    return pods;
  }
  [[nodiscard]] Nanoseconds next_ns() const {
    return elapsed_ns(at(0).mono, expected_.next_step());
  }

  Expectations expected_;
};

TEST_F(ExpectationsTest, NothingExpectedIsSatisfied) {
  EXPECT_TRUE(expected_.satisfied());
  EXPECT_TRUE(expected_.next_step().is_zero());
}

TEST_F(ExpectationsTest, CreationsAreAwaitedByUid) {
  expected_.expect_creations(3, at(0));
  expected_.created("a", 11);
  expected_.created("b", 12);
  expected_.not_created(1);
  EXPECT_FALSE(expected_.satisfied());
  expected_.saw_pod("a");
  expected_.saw_pod("somebody-elses");
  EXPECT_FALSE(expected_.satisfied());
  expected_.saw_pod("b");
  EXPECT_TRUE(expected_.satisfied());
}

TEST_F(ExpectationsTest, APodThatCameAndWentUnseenIsNotAwaitedForEver) {
  expected_.expect_creations(2, at(0));
  expected_.created("a", 11);
  expected_.created("of-unknown-revision", 0);
  expected_.saw_all_up_to(10);
  expected_.saw_all_up_to(11);
  EXPECT_FALSE(expected_.satisfied());
  expected_.saw_pod_leave("of-unknown-revision");
  EXPECT_TRUE(expected_.satisfied());
}

TEST_F(ExpectationsTest, DeletionsAreCrossedOffOnceEach) {
  expect_deletions({"a", "b"});
  expected_.saw_pod_leave("a");
  expected_.saw_pod_leave("a");
  expected_.saw_pod_leave("c");
  EXPECT_FALSE(expected_.satisfied());
  EXPECT_TRUE(expected_.expects_deletion_of("b"));
  expected_.saw_pod_leave("b");
  EXPECT_TRUE(expected_.satisfied());
}

TEST_F(ExpectationsTest, ExpectingOneKindForgetsTheOther) {
  expect_deletions({"a"});
  expected_.expect_creations(1, at(0));
  EXPECT_EQ(expected_.deletions(), 0U);
  expect_deletions({"a"});
  expected_.saw_pod_leave("a");
  EXPECT_TRUE(expected_.satisfied());
}

TEST_F(ExpectationsTest, ExpireFiveMinutesAfterTheRoundIsOver) {
  expect_deletions({"a"});
  EXPECT_TRUE(expected_.next_step().is_zero());  // the call is in flight
  expected_.deletion_granted("a");
  expected_.round_is_over(at(kSecond));
  EXPECT_EQ(next_ns(), 301 * kSecond);
  EXPECT_FALSE(expected_.expired(at(301 * kSecond - 1)));
  EXPECT_FALSE(expected_.wants_list(at(301 * kSecond - 1)));
  EXPECT_TRUE(expected_.expired(at(301 * kSecond)));
  EXPECT_TRUE(expected_.wants_list(at(301 * kSecond)));
}

TEST_F(ExpectationsTest, AnUnknownCreationIsClearedUpOnceItHasLandedOrNeverWill) {
  expected_.expect_creations(2, at(0));
  expected_.creation_unknown(at(kSecond));
  EXPECT_TRUE(expected_.next_step().is_zero());  // the other one is in flight
  expected_.not_created(1);
  EXPECT_EQ(next_ns(), kSecond + kWriteDeadlineNs);
  EXPECT_FALSE(expected_.wants_list(at(0)));
  ASSERT_TRUE(expected_.wants_list(at(6 * kSecond)));
  const auto list_id = expected_.list_sent(at(6 * kSecond));
  EXPECT_FALSE(expected_.wants_list(at(7 * kSecond)));
  EXPECT_TRUE(expected_.listed(list_id, live({"new"}), no, no, at(7 * kSecond)));
  EXPECT_FALSE(expected_.satisfied());
  expected_.saw_all_up_to(99);
  EXPECT_FALSE(expected_.satisfied());
  expected_.saw_all_up_to(100);
  EXPECT_TRUE(expected_.satisfied());
}

TEST_F(ExpectationsTest, AListThatShowsNothingNewSettlesAnUnknownCreation) {
  expected_.expect_creations(1, at(0));
  expected_.creation_unknown(at(0));
  EXPECT_TRUE(expected_.listed(expected_.list_sent(at(5 * kSecond)), live({"old"}), yes, yes,
                               at(5 * kSecond)));
  EXPECT_TRUE(expected_.satisfied());
}

TEST_F(ExpectationsTest, AFailedListIsRepeatedLaterEachTime) {
  expected_.expect_creations(1, at(0));
  expected_.creation_unknown(at(0));
  Nanoseconds now_ns = 5 * kSecond;
  for (unsigned failures = 0; failures < 5; ++failures) {
    ASSERT_TRUE(expected_.wants_list(at(now_ns)));
    expected_.list_failed(expected_.list_sent(at(now_ns)), at(now_ns));
    EXPECT_EQ(next_ns(), now_ns + retry_delay_ns(failures));
    now_ns = next_ns();
  }
}

TEST_F(ExpectationsTest, AnAnswerToAnOldListIsIgnored) {
  expected_.expect_creations(1, at(0));
  expected_.creation_unknown(at(0));
  const auto list_id = expected_.list_sent(at(5 * kSecond));
  expected_.expect_creations(1, at(6 * kSecond));
  expected_.creation_unknown(at(6 * kSecond));
  EXPECT_FALSE(expected_.listed(list_id, live({}), no, no, at(7 * kSecond)));
  EXPECT_FALSE(expected_.satisfied());
}

TEST_F(ExpectationsTest, UnknownDeletionsAreRepeatedLaterEachTime) {
  expect_deletions({"a"});
  Nanoseconds now_ns = 0;
  for (unsigned tries = 0; tries < 5; ++tries) {
    expected_.deletion_unknown("a", at(now_ns));
    EXPECT_EQ(next_ns(), now_ns + retry_delay_ns(tries));
    EXPECT_FALSE(expected_.has_repeats(at(next_ns() - 1)));
    now_ns = next_ns();
    ASSERT_TRUE(expected_.has_repeats(at(now_ns)));
    const auto repeats = expected_.take_repeats(at(now_ns));
    ASSERT_EQ(repeats.size(), 1U);
    EXPECT_EQ(repeats[0].name, "pod-a");
    EXPECT_EQ(repeats[0].uid, "a");
    EXPECT_FALSE(expected_.has_repeats(at(now_ns)));
  }
  expected_.deletion_granted("a");
  EXPECT_FALSE(expected_.has_repeats(at(now_ns + 60 * kSecond)));
  EXPECT_FALSE(expected_.satisfied());
}

TEST_F(ExpectationsTest, AbandonedExpectationsAreSettledByAList) {
  expect_deletions({"alive", "gone", "seen-gone"});
  for (const char* uid : {"alive", "gone", "seen-gone"}) expected_.deletion_unknown(uid, at(0));
  expected_.give_up_repeating();
  EXPECT_EQ(next_ns(), kWriteDeadlineNs);
  const Now then = at(kWriteDeadlineNs);
  ASSERT_TRUE(expected_.wants_list(then));
  const auto counted = [](const std::string& name, const std::string&) {
    return name != "pod-seen-gone";
  };
  EXPECT_TRUE(expected_.listed(expected_.list_sent(then), live({"alive"}), yes, counted, then));
  EXPECT_FALSE(expected_.expects_deletion_of("alive"));
  EXPECT_FALSE(expected_.expects_deletion_of("seen-gone"));
  EXPECT_TRUE(expected_.expects_deletion_of("gone"));  // until the cache knows
}

TEST_F(ExpectationsTest, WhatIsSaidToBeGoneIsConfirmedByAListUnlessTheCacheDoes) {
  expect_deletions({"a", "b", "c"});
  expected_.round_is_over(at(0));
  for (const char* uid : {"a", "b", "c"}) expected_.deletion_missed(uid, at(kSecond));
  expected_.saw_pod_leave("a");
  EXPECT_EQ(next_ns(), kSecond + kMissedConfirmedAfterNs);
  const Now due = at(kSecond + kMissedConfirmedAfterNs);
  ASSERT_TRUE(expected_.wants_list(due));
  EXPECT_TRUE(expected_.missed_deletion_of("b"));
  ASSERT_TRUE(expected_.listed(expected_.list_sent(due), live({"b"}), yes, yes, due));
  EXPECT_FALSE(expected_.expects_deletion_of("b")) << "it is there, and free";
  EXPECT_TRUE(expected_.expects_deletion_of("c")) << "it is gone, and the cache counts it";
  EXPECT_FALSE(expected_.wants_list(at(60 * kSecond)));
}

TEST_F(ExpectationsTest, ARefusalFreesAPodUnlessAnEarlierTryMayStillLand) {
  expect_deletions({"a", "b"});
  expected_.deletion_refused("a", at(0));
  EXPECT_FALSE(expected_.expects_deletion_of("a"));
  expected_.deletion_unknown("b", at(0));
  ASSERT_EQ(expected_.take_repeats(at(kSecond)).size(), 1U);
  expected_.deletion_refused("b", at(2 * kSecond));
  EXPECT_TRUE(expected_.expects_deletion_of("b"));
  EXPECT_EQ(next_ns(), kWriteDeadlineNs);
}

}  // namespace
}  // namespace ebb::control
