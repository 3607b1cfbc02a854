#include "control/replicaset/rank_wait.h"

#include <gtest/gtest.h>

#include "base/deadline_queue.h"

namespace ebb::control {
namespace {

constexpr Timestamp kStart = Timestamp::from_seconds(100);

TEST(RankWait, EndsAtItsDeadlineAndLetsPodsThatNeedNoRanksGo) {
  struct Case {
    Nanoseconds worth_wait_ns;
    Nanoseconds waited_ns;  // -1: this is the first time
    std::size_t needing_none;
    Nanoseconds due_in_ns;  // from the start; 0: pods may go now
    std::size_t at_once;
  };
  const Case cases[] = {
      {0, -1, 0, 0, 7},
      {0, -1, 2, 0, 7},
      {30 * kSecond, -1, 0, 30 * kSecond, 7},
      {30 * kSecond, 29 * kSecond, 0, 30 * kSecond, 7},
      {30 * kSecond, 30 * kSecond, 0, 0, 7},
      {30 * kSecond, -1, 2, 0, 2},
      // The wait is over, so all of them may go.
      {30 * kSecond, 30 * kSecond, 2, 0, 7},
  };
  for (const Case& c : cases) {
    RankAdvice ranks{.outcome = RankOutcome::kIncomplete,
                     .at_once = 7,
                     .worth_wait_ns = c.worth_wait_ns,
                     .needing_none = c.needing_none};
    RankWait wait;
    if (c.waited_ns >= 0) wait.since = kStart;
    const Timestamp now = later_by(kStart, std::max<Nanoseconds>(c.waited_ns, 0));
    const Timestamp due = await_ranks(ranks, wait, now);
    EXPECT_EQ(due, c.due_in_ns == 0 ? Timestamp() : later_by(kStart, c.due_in_ns));
    EXPECT_EQ(ranks.at_once, c.at_once);
    EXPECT_EQ(ranks.outcome == RankOutcome::kNotNeeded, c.at_once == 2);
    EXPECT_EQ(wait.waited_ns(now), std::max<Nanoseconds>(c.waited_ns, 0));
  }
}

TEST(RankWait, StartsAgainWhenRanksAreRecomputed) {
  struct Case {
    bool last;
    bool recompute;
    bool keeps_time;
    bool keeps_condition;
  };
  const Case cases[] = {
      {false, false, true, true},
      {false, true, false, true},
      {true, false, false, false},
      {true, true, false, false},
  };
  for (const Case& c : cases) {
    RankWait wait{
        .since = kStart, .waits = true, .reported = describe_wait({.problems = {"none"}})};
    pods_go(wait, c.last, c.recompute);
    EXPECT_EQ(!wait.since.is_zero(), c.keeps_time) << c.last << c.recompute;
    EXPECT_EQ(wait.waits, c.keeps_time) << c.last << c.recompute;
    EXPECT_EQ(wait.reported.has_value(), c.keeps_condition) << c.last << c.recompute;
  }
}

TEST(RankWait, IsExplained) {
  const ConditionText text =
      describe_wait({.problems = {"a is missing", "b is old"}, .worth_wait_ns = 30 * kSecond});
  EXPECT_EQ(text.reason, "RanksAwaited");
  EXPECT_EQ(text.message, "Waiting up to 30 s for ranks: a is missing; b is old");
}

}  // namespace
}  // namespace ebb::control
