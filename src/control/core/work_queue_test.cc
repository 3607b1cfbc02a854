#include "control/core/work_queue.h"

#include <map>
#include <vector>

#include <gtest/gtest.h>

namespace ebb::control {
namespace {

class CountingTelemetry : public Telemetry {
 public:
  void count(Count what, std::string_view label, std::int64_t by) override {
    EXPECT_EQ(label, "replicaset");
    counts[what] += by;
  }
  void observe(Histogram what, std::string_view, double value) override {
    observed[what].push_back(value);
  }
  void set(Gauge what, std::string_view, double value) override { gauges[what] = value; }
  [[nodiscard]] Timestamp moment(Timestamp now) const override {
    return later_by(now, step_takes_ns);
  }

  Nanoseconds step_takes_ns = 0;  // so far

  std::map<Count, std::int64_t> counts;
  std::map<Histogram, std::vector<double>> observed;
  std::map<Gauge, double> gauges;
};

Now at(Nanoseconds since_start_ns) {
  const auto time = Timestamp::from_nanoseconds(1'000'000 * kNanosecondsPerSecond + since_start_ns);
  return {.wall = time, .mono = time};
}

Key key(std::string name) { return {.namespace_name = "shop", .name = std::move(name)}; }

class WorkQueueTest : public ::testing::Test {
 protected:
  // Names of all that can be taken now.
  std::vector<std::string> take_all(Now now) {
    std::vector<std::string> names;
    while (const auto next = queue_.take(now)) names.push_back(next->name);
    return names;
  }
  // How long after `now` there is something to take.
  [[nodiscard]] Nanoseconds wait(Now now) const { return elapsed_ns(now.mono, queue_.wake_at()); }

  using Names = std::vector<std::string>;

  CountingTelemetry telemetry_;
  WorkQueue queue_{"replicaset", telemetry_};
};

TEST_F(WorkQueueTest, ServesFirstWhatCameFirst) {
  for (const char* name : {"b", "a", "c"}) queue_.add(key(name), at(0));
  EXPECT_EQ(take_all(at(0)), (Names{"b", "a", "c"}));
}

TEST_F(WorkQueueTest, AKeyWaitsOnlyOnce) {
  queue_.add(key("a"), at(0));
  queue_.add(key("a"), at(1));
  EXPECT_EQ(take_all(at(1)), Names{"a"});
  EXPECT_EQ(telemetry_.counts[Count::kQueueAdds], 1);
}

TEST_F(WorkQueueTest, AKeyThatIsWorkedOnIsNotHandedOutAgainBeforeItIsDone) {
  queue_.add(key("a"), at(0));
  ASSERT_TRUE(queue_.take(at(0)));
  queue_.add(key("a"), at(1));
  queue_.add(key("b"), at(1));
  EXPECT_EQ(take_all(at(1)), Names{"b"});
  EXPECT_EQ(queue_.working(), 2U);
  queue_.done(key("a"), at(2));
  EXPECT_EQ(take_all(at(2)), Names{"a"});
}

TEST_F(WorkQueueTest, WhatWasNotAddedMeanwhileDoesNotComeUpAgain) {
  queue_.add(key("a"), at(0));
  ASSERT_TRUE(queue_.take(at(0)));
  queue_.done(key("a"), at(1));
  EXPECT_TRUE(take_all(at(1)).empty());
  EXPECT_TRUE(queue_.wake_at().is_zero());
  EXPECT_EQ(queue_.working(), 0U);
}

TEST_F(WorkQueueTest, KeepsEarlierDeadlineWhenKeyIsAddedTwice) {
  queue_.add_after(key("a"), 5 * kNanosecondsPerSecond, at(0));
  queue_.add_after(key("a"), 2 * kNanosecondsPerSecond, at(0));
  queue_.add_after(key("a"), 9 * kNanosecondsPerSecond, at(0));
  EXPECT_EQ(wait(at(0)), 2 * kNanosecondsPerSecond);
  EXPECT_TRUE(take_all(at(2 * kNanosecondsPerSecond - 1)).empty());
  EXPECT_EQ(take_all(at(2 * kNanosecondsPerSecond)), Names{"a"});
}

TEST_F(WorkQueueTest, ADelayOfNothingAddsAtOnce) {
  queue_.add_after(key("a"), 0, at(0));
  queue_.add_after(key("b"), -1, at(0));
  EXPECT_EQ(take_all(at(0)), (Names{"a", "b"}));
}

TEST_F(WorkQueueTest, ADelayedKeyComesUpEvenIfItCameUpBeforeForAnotherReason) {
  queue_.add_after(key("a"), kNanosecondsPerSecond, at(0));
  queue_.add(key("a"), at(0));
  ASSERT_EQ(take_all(at(0)), Names{"a"});
  queue_.add_after(key("b"), kNanosecondsPerSecond, at(0));
  queue_.done(key("a"), at(0));
  EXPECT_EQ(take_all(at(kNanosecondsPerSecond)), (Names{"a", "b"}));
}

TEST_F(WorkQueueTest, WaitsLongerWithEachFailureUpToHalfAMinute) {
  const Nanoseconds expected_ms[] = {5,    10,   20,   40,    80,    160,   320,  640,
                                     1280, 2560, 5120, 10240, 20480, 30000, 30000};
  Now now = at(0);
  for (const Nanoseconds ms : expected_ms) {
    queue_.add_after_failure(key("a"), now);
    EXPECT_EQ(wait(now), ms * kMillisecond);
    now = at(elapsed_ns(at(0).mono, queue_.wake_at()));
    ASSERT_TRUE(queue_.take(now));
    queue_.done(key("a"), now);
  }
  queue_.forget_failures(key("a"));
  queue_.add_after_failure(key("a"), now);
  EXPECT_EQ(wait(now), 5 * kMillisecond);
  EXPECT_EQ(telemetry_.counts[Count::kQueueRetries], 16);
}

TEST_F(WorkQueueTest, AllKeysTogetherRetryTenTimesASecondBeyondABurstOfAHundred) {
  for (int i = 0; i < 100; ++i) queue_.add_after_failure(key("k" + std::to_string(i)), at(0));
  EXPECT_EQ(take_all(at(5 * kMillisecond)).size(), 100U);
  for (int i = 100; i < 103; ++i) queue_.add_after_failure(key("k" + std::to_string(i)), at(0));
  EXPECT_EQ(take_all(at(104 * kMillisecond)).size(), 0U);
  EXPECT_NEAR(static_cast<double>(wait(at(104 * kMillisecond))), kMillisecond, 1);
  EXPECT_EQ(take_all(at(105 * kMillisecond)).size(), 1U);
  EXPECT_EQ(take_all(at(205 * kMillisecond)).size(), 1U);
  EXPECT_EQ(take_all(at(305 * kMillisecond)).size(), 1U);
}

TEST_F(WorkQueueTest, NamespacesTakeTurns) {
  for (const char* name : {"a", "b", "c"})
    queue_.add({.namespace_name = "busy", .name = name}, at(0));
  queue_.add({.namespace_name = "calm", .name = "x"}, at(0));
  EXPECT_EQ(take_all(at(0)), (Names{"a", "x", "b", "c"}));
}

TEST_F(WorkQueueTest, PassesOverNamespacesThatMayHaveNothingTaken) {
  queue_.add({.namespace_name = "busy", .name = "a"}, at(0));
  queue_.add({.namespace_name = "calm", .name = "x"}, at(0));
  queue_.add_after({.namespace_name = "busy", .name = "b"}, kNanosecondsPerSecond, at(0));
  const auto calm = [](const std::string& name) { return name == "calm"; };
  EXPECT_EQ(queue_.take(at(0), calm)->name, "x");
  EXPECT_EQ(queue_.take(at(0), calm), std::nullopt);
  EXPECT_EQ(queue_.wake_at(), at(0).mono);
  EXPECT_EQ(queue_.wake_at_for_delayed(), at(kNanosecondsPerSecond).mono);
  EXPECT_EQ(queue_.take(at(0))->name, "a");
}

// The tenant's keys fail again as soon as they are tried, for a minute.
TEST_F(WorkQueueTest, ATenantWhoseKeysAlwaysFailDoesNotDelayTheFirstRetryOfAnother) {
  Now now = at(0);
  for (int i = 0; i < 1'000; ++i) {
    queue_.add_after_failure({.namespace_name = "bad", .name = std::to_string(i)}, now);
  }
  const Key good{.namespace_name = "good", .name = "x"};
  Nanoseconds time = 0;
  for (; time < 60 * kNanosecondsPerSecond; time += 50 * kMillisecond) {
    now = at(time);
    while (const auto key = queue_.take(now)) {
      queue_.done(*key, now);
      queue_.add_after_failure(*key, now);
    }
  }
  queue_.add_after_failure(good, now);
  bool retried = false;
  for (const Nanoseconds end = time + 200 * kMillisecond; time < end; time += 5 * kMillisecond) {
    now = at(time);
    while (const auto key = queue_.take(now)) {
      retried = retried || *key == good;
      queue_.done(*key, now);
      if (*key != good) queue_.add_after_failure(*key, now);
    }
  }
  EXPECT_TRUE(retried);
}

TEST_F(WorkQueueTest, MeasuresWaitingAndWorking) {
  queue_.add(key("a"), at(0));
  EXPECT_EQ(telemetry_.gauges[Gauge::kQueueDepth], 1);
  ASSERT_TRUE(queue_.take(at(kNanosecondsPerSecond)));
  EXPECT_EQ(telemetry_.gauges[Gauge::kQueueDepth], 0);
  queue_.done(key("a"), at(3 * kNanosecondsPerSecond));
  EXPECT_EQ(telemetry_.observed[Histogram::kQueueWaitSeconds], std::vector<double>{1});
  EXPECT_EQ(telemetry_.observed[Histogram::kWorkSeconds], std::vector<double>{2});
}

TEST_F(WorkQueueTest, ReportsTwiceASecondAndWhenAllIsDone) {
  const double& unfinished = telemetry_.gauges[Gauge::kUnfinishedWorkSeconds];
  queue_.add(key("a"), at(kNanosecondsPerSecond));
  ASSERT_TRUE(queue_.take(at(kNanosecondsPerSecond)));
  queue_.report(at(2 * kNanosecondsPerSecond));
  EXPECT_EQ(unfinished, 1);
  queue_.report(at(2 * kNanosecondsPerSecond + 400 * kMillisecond));
  EXPECT_EQ(unfinished, 1);
  queue_.report(at(2 * kNanosecondsPerSecond + 500 * kMillisecond));
  EXPECT_EQ(unfinished, 1.5);
  queue_.done(key("a"), at(2 * kNanosecondsPerSecond + 600 * kMillisecond));
  queue_.report(at(2 * kNanosecondsPerSecond + 600 * kMillisecond));
  EXPECT_EQ(unfinished, 0);
}

TEST_F(WorkQueueTest, MeasuresWithinAStepToo) {
  queue_.add(key("a"), at(0));
  telemetry_.step_takes_ns = 20 * kMillisecond;
  EXPECT_EQ(take_all(at(0)), Names{"a"});
  EXPECT_EQ(telemetry_.observed[Histogram::kQueueWaitSeconds], std::vector<double>{0.02});
  telemetry_.step_takes_ns = 50 * kMillisecond;
  queue_.done(key("a"), at(0));
  EXPECT_EQ(telemetry_.observed[Histogram::kWorkSeconds], std::vector<double>{0.03});
  // The wake-up time is that of the step.
  queue_.add(key("b"), at(0));
  EXPECT_EQ(wait(at(0)), 0);
}

}  // namespace
}  // namespace ebb::control
