#include "control/picker/picker_sessions.h"

#include <gtest/gtest.h>

#include "support/control/picker_sessions_scene.h"

namespace ebb::control {
namespace {

using namespace sessions_scene;
using State = PickerSessions::State;

TEST_F(PickerSessionsTest, CallsThePickerAndKeepsItsResult) {
  begin();
  EXPECT_EQ(picker_sessions.state(key("web")), State::kInFlight);
  ASSERT_EQ(sink.asked.size(), 1U);
  EXPECT_EQ(sink.asked[0].deadline_ns, 2 * kSecond);
  EXPECT_TRUE(sink.asked[0].idempotency_key.starts_with("u-web-1-"));
  now.mono = later_by(now.mono, kSecond);
  answer(1, {"b", "stranger"}, {"b", "c", "c"});
  EXPECT_EQ(picker_sessions.state(key("web")), State::kOver);
  const PickerResult result = picker_sessions.take(key("web"));
  EXPECT_EQ(picker_sessions.state(key("web")), State::kNone);
  EXPECT_EQ(result.outcome, Outcome::kAnswered);
  EXPECT_EQ(result.duration_ns, kSecond);
  EXPECT_EQ(result.surplus, 2U);
  EXPECT_EQ(result.chosen, 1U);
  EXPECT_EQ(result.tied, 1U);
  EXPECT_EQ(result.ignored, 2U);
  ASSERT_EQ(result.named.size(), 2U);
  EXPECT_EQ(result.named[0].uid, "ub");
  EXPECT_EQ(result.named[1].verdict, model::Verdict::kTied);
}

TEST_F(PickerSessionsTest, AnAnswerThatNamesNoCandidateIsEmpty) {
  begin();
  answer(1, {"x"}, {"y"});
  const PickerResult result = picker_sessions.take(key("web"));
  EXPECT_EQ(result.outcome, Outcome::kEmpty);
  EXPECT_EQ(result.ignored, 2U);
}

TEST_F(PickerSessionsTest, ItIsOverWhenTheTimeIsUpWhateverHappens) {
  begin();
  pass(2 * kSecond - 1);
  EXPECT_TRUE(over.empty());
  pass(1);
  EXPECT_EQ(over, Names{"web"});
  EXPECT_EQ(sink.withdrawn, std::set<picker::CallId>{1});
  EXPECT_EQ(sink.gauges[Gauge::kPickerRequestsInFlight], 0);
  reply(1, Outcome::kAnswered);  // too late, so it is ignored
  EXPECT_EQ(picker_sessions.take(key("web")).outcome, Outcome::kTimeout);
  EXPECT_EQ(sink.counted(Count::kPickerAttempts, "timeout"), 1);
}

TEST_F(PickerSessionsTest, RetriesWithTheSameKeyAndTheRemainingTime) {
  begin();
  pass(100 * kMillisecond);
  reply(1, Outcome::kStatusCode, true, 503);
  EXPECT_EQ(sink.asked.size(), 1U);
  pass(50 * kMillisecond - 1);
  EXPECT_EQ(sink.asked.size(), 1U);
  pass(25 * kMillisecond + 1);  // 50 ms, and up to half as much at random
  ASSERT_EQ(sink.asked.size(), 2U);
  EXPECT_EQ(sink.asked[1].idempotency_key, sink.asked[0].idempotency_key);
  EXPECT_EQ(sink.asked[1].body, sink.asked[0].body);
  EXPECT_LE(sink.asked[1].deadline_ns, 1850 * kMillisecond);
  EXPECT_GE(sink.asked[1].deadline_ns, 1825 * kMillisecond);
  reply(2, Outcome::kRefused, true);
  pass(100 * kMillisecond - 1);
  EXPECT_EQ(sink.asked.size(), 2U);
  pass(50 * kMillisecond + 1);
  ASSERT_EQ(sink.asked.size(), 3U);
  // Two retries are allowed, and that was the second.
  reply(3, Outcome::kMalformed, true);
  const PickerResult result = picker_sessions.take(key("web"));
  EXPECT_EQ(result.outcome, Outcome::kMalformed);
  EXPECT_EQ(result.attempts, 3);
}

TEST_F(PickerSessionsTest, DoesNotRetryPermanentFailures) {
  for (const Outcome outcome : {Outcome::kStatusCode, Outcome::kOversize, Outcome::kEmpty}) {
    EXPECT_EQ(consult(outcome, "w", 404).attempts, 1);
  }
  EXPECT_EQ(sink.asked.size(), 3U);
}

TEST_F(PickerSessionsTest, WithoutRetriesThereIsOneTry) {
  settings.max_retries = 0;
  begin();
  reply(1, Outcome::kRefused, true);
  EXPECT_EQ(picker_sessions.take(key("web")).outcome, Outcome::kRefused);
}

TEST_F(PickerSessionsTest, RetryAfterIsRespectedIfThereIsTime) {
  begin();
  reply(1, Outcome::kStatusCode, true, 429, kSecond);
  pass(kSecond - 1);
  EXPECT_EQ(sink.asked.size(), 1U);
  pass(1);
  EXPECT_EQ(sink.asked.size(), 2U);
  // Now there is no time left.
  reply(2, Outcome::kStatusCode, true, 429, kSecond);
  const PickerResult result = picker_sessions.take(key("web"));
  EXPECT_EQ(result.outcome, Outcome::kStatusCode);
  EXPECT_EQ(result.code, 429);
  EXPECT_EQ(result.duration_ns, kSecond);
}

TEST_F(PickerSessionsTest, OnlySoManyAskAnEndpointAtATimeAndNamespacesTakeTurns) {
  for (const char* name : {"a1", "a2", "a3", "a4"}) begin(key(name, "a"), name);
  begin(key("b1", "b"), "b1");
  EXPECT_EQ(sink.asked.size(), 2U);
  EXPECT_EQ(sink.gauges[Gauge::kPickerRequestsWaiting], 3);
  const auto who = [&](std::size_t place) {
    return sink.asked.at(place).idempotency_key.substr(2, 2);
  };
  answer(1, {"a"});
  ASSERT_EQ(sink.asked.size(), 3U);
  EXPECT_EQ(who(2), "a3");
  answer(2, {"a"});
  ASSERT_EQ(sink.asked.size(), 4U);
  EXPECT_EQ(who(3), "b1");
  answer(3, {"a"});
  EXPECT_EQ(who(4), "a4");
  EXPECT_EQ(sink.gauges[Gauge::kPickerRequestsWaiting], 0);
  // Another endpoint has places of its own.
  settings.port = 81;
  begin(key("c1", "c"), "c1");
  EXPECT_EQ(who(5), "c1");
}

TEST_F(PickerSessionsTest, WaitingForAPlaceCountsAndSaysNothingAboutThePicker) {
  settings.timeout_ns = 30 * kSecond;
  begin(key("a"), "slow");
  begin(key("b"), "slow");
  settings.timeout_ns = kSecond;
  for (int i = 0; i < Breaker::kFailuresToOpen + 1; ++i) {
    begin(key("c"), "hasty");
    pass(kSecond);
    const PickerResult result = picker_sessions.take(key("c"));
    EXPECT_EQ(result.outcome, Outcome::kTimeout);
    EXPECT_EQ(result.attempts, 0);
  }
  EXPECT_EQ(sink.asked.size(), 2U);
  EXPECT_EQ(sink.counted(Count::kBreakersOpened), 0);
}

TEST_F(PickerSessionsTest, ACallThatWasNeverSentDoesNotCountAgainstThePicker) {
  for (int round = 1; round <= 10; ++round) {
    begin();
    picker_sessions.replied(static_cast<picker::CallId>(round),
                            {.outcome = Outcome::kTimeout, .asked = false}, now);
    const PickerResult result = picker_sessions.take(key("web"));
    EXPECT_EQ(result.outcome, Outcome::kTimeout);
    EXPECT_EQ(result.attempts, 0);
    static_cast<void>(picker_sessions.take_finished());
  }
  EXPECT_EQ(sink.counted(Count::kBreakersOpened), 0);
  EXPECT_EQ(sink.counted(Count::kPickerAttempts, "timeout"), 0);
}

TEST_F(PickerSessionsTest, CountsOnlyRequestsThatWereSentAsAttempts) {
  begin();
  picker_sessions.replied(
      1, {.outcome = Outcome::kBadSettings, .asked = false, .detail = "expired"}, now);
  EXPECT_EQ(picker_sessions.take(key("web")).outcome, Outcome::kBadSettings);
  EXPECT_EQ(sink.counted(Count::kPickerAttempts, to_string(Outcome::kBadSettings)), 0);
  static_cast<void>(picker_sessions.take_finished());
  begin();
  picker_sessions.replied(2, {.outcome = Outcome::kTimeout}, now);
  EXPECT_EQ(sink.counted(Count::kPickerAttempts, to_string(Outcome::kTimeout)), 1);
}

TEST_F(PickerSessionsTest, ADroppedSessionFreesItsPlace) {
  for (const char* name : {"a", "b", "c", "d"}) begin(key(name));
  picker_sessions.drop(key("d"));
  picker_sessions.drop(key("a"));
  EXPECT_EQ(sink.withdrawn, std::set<picker::CallId>{1});
  EXPECT_EQ(picker_sessions.state(key("a")), State::kNone);
  EXPECT_EQ(sink.asked.size(), 2U);
  picker_sessions.run(now);
  ASSERT_EQ(sink.asked.size(), 3U);
  EXPECT_TRUE(sink.asked[2].idempotency_key.starts_with("u-c"));
  picker_sessions.drop_all();
  EXPECT_EQ(sink.withdrawn, (std::set<picker::CallId>{1, 2, 3}));
  EXPECT_TRUE(picker_sessions.wake_at().is_zero());
  EXPECT_EQ(sink.gauges[Gauge::kPickerRequestsInFlight], 0);
}

TEST_F(PickerSessionsTest, AnAnswerThatIsNoLongerNeededIsCounted) {
  begin();
  answer(1, {"a"});
  picker_sessions.drop(key("web"));
  EXPECT_EQ(sink.counted(Count::kAnswersUnneeded), 1);
  EXPECT_TRUE(picker_sessions.take_finished().empty());
}

TEST_F(PickerSessionsTest, FiveFailuresInARowOpenTheBreaker) {
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(consult(Outcome::kRefused).breaker, Breakers::Change::kNone);
  EXPECT_EQ(consult(Outcome::kTls).breaker, Breakers::Change::kOpened);
  EXPECT_EQ(sink.gauges[Gauge::kOpenBreakers], 1);
  EXPECT_EQ(consult(Outcome::kAnswered).outcome, Outcome::kBreakerOpen);
  EXPECT_EQ(sink.asked.size(), 5U);
  // Other workloads and other endpoints are not affected.
  EXPECT_EQ(consult(Outcome::kAnswered, "other").outcome, Outcome::kAnswered);
  settings.port = 81;
  EXPECT_EQ(consult(Outcome::kAnswered).outcome, Outcome::kAnswered);
  settings.port = 80;
  // The breaker lets one trial call through at a time.
  pass(30 * kSecond);
  begin(key("try"));
  EXPECT_EQ(sink.counted(Count::kBreakersHalfOpened), 1);
  EXPECT_EQ(consult(Outcome::kAnswered).outcome, Outcome::kBreakerOpen);
  reply(sink.asked.size(), Outcome::kOversize);
  EXPECT_EQ(picker_sessions.take(key("try")).breaker, Breakers::Change::kNone);
  // The pause is twice as long now.
  pass(60 * kSecond - 1);
  EXPECT_EQ(consult(Outcome::kAnswered).outcome, Outcome::kBreakerOpen);
  pass(1);
  const PickerResult result = consult(Outcome::kAnswered);
  EXPECT_EQ(result.outcome, Outcome::kAnswered);
  EXPECT_EQ(result.breaker, Breakers::Change::kClosed);
  EXPECT_EQ(sink.gauges[Gauge::kOpenBreakers], 0);
  EXPECT_EQ(consult(Outcome::kRefused).breaker, Breakers::Change::kNone);
}

TEST_F(PickerSessionsTest, WhatCountsAsAFailureOfThePicker) {
  struct Case {
    Outcome outcome;
    int code;
    bool counts;
  };
  const Case cases[] = {
      {Outcome::kTimeout, 0, true},      {Outcome::kRefused, 0, true},
      {Outcome::kTls, 0, true},          {Outcome::kOversize, 0, true},
      {Outcome::kMalformed, 0, true},    {Outcome::kStatusCode, 500, true},
      {Outcome::kStatusCode, 429, true}, {Outcome::kStatusCode, 404, false},
      {Outcome::kEmpty, 0, false},
  };
  for (const Case& each : cases) {
    const std::string workload = fmt::format("{}-{}", to_string(each.outcome), each.code);
    for (int i = 0; i < 5; ++i) static_cast<void>(consult(each.outcome, workload, each.code));
    const bool open = consult(Outcome::kAnswered, workload).outcome == Outcome::kBreakerOpen;
    EXPECT_EQ(open, each.counts) << workload;
  }
}

TEST_F(PickerSessionsTest, ATryThatIsDroppedLetsAnotherOneThrough) {
  for (int i = 0; i < 5; ++i) static_cast<void>(consult(Outcome::kRefused));
  pass(30 * kSecond);
  begin(key("try"));
  picker_sessions.drop(key("try"));
  EXPECT_EQ(consult(Outcome::kAnswered).breaker, Breakers::Change::kClosed);
}

TEST_F(PickerSessionsTest, WorkloadsThatAreGoneAreForgotten) {
  for (int i = 0; i < 5; ++i) static_cast<void>(consult(Outcome::kRefused));
  EXPECT_EQ(sink.gauges[Gauge::kOpenBreakers], 1);
  picker_sessions.forget_workload("w");
  EXPECT_EQ(sink.gauges[Gauge::kOpenBreakers], 0);
  EXPECT_EQ(consult(Outcome::kAnswered).outcome, Outcome::kAnswered);
}

}  // namespace
}  // namespace ebb::control
