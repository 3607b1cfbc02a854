#include "control/webhook/call_limits.h"

#include <vector>

#include <gtest/gtest.h>

namespace ebb::control {
namespace {

Now at_ms(std::int64_t ms) {
  const auto time = Timestamp::from_nanoseconds(ms * kMillisecond);
  return {.wall = time, .mono = time};
}

TEST(CallLimits, HoldsOneCallAtATimeAndFourForAMoment) {
  CallLimits limits;
  EXPECT_TRUE(limits.take_place());
  EXPECT_FALSE(limits.take_place());
  limits.give_back();
  EXPECT_TRUE(limits.take_place());
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(limits.take_moment(at_ms(10'000)));
  EXPECT_FALSE(limits.take_moment(at_ms(10'000)));
  limits.give_back_moment();
  EXPECT_TRUE(limits.take_moment(at_ms(10'000)));
}

TEST(CallLimits, HoldsNoCallForAMomentAfterTwoWereHeldInVain) {
  CallLimits limits;
  limits.count_vain(at_ms(10'000));
  EXPECT_TRUE(limits.take_moment(at_ms(10'100)));
  limits.give_back_moment();
  limits.count_vain(at_ms(10'300));
  EXPECT_FALSE(limits.take_moment(at_ms(19'999)));
  EXPECT_TRUE(limits.take_moment(at_ms(20'000)));
}

TEST(CallLimits, RefusesAtMostTwoCallsWithinAnySecond) {
  CallLimits limits;
  std::vector<std::int64_t> refused;
  for (std::int64_t ms = 10'000; ms < 20'000; ms += 7) {
    if (limits.may_refuse(at_ms(ms))) refused.push_back(ms);
  }
  EXPECT_GE(refused.size(), 18U);
  for (std::size_t i = 2; i < refused.size(); ++i) {
    EXPECT_GE(refused[i] - refused[i - 2], 1'000) << i;
  }
}

}  // namespace
}  // namespace ebb::control
