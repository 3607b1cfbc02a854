#include "control/webhook/call_limits.h"

#include <vector>

#include <gtest/gtest.h>

namespace ebb::control {
namespace {

Now at_ms(std::int64_t ms) {
  const auto time = Timestamp::from_nanoseconds(ms * kMillisecond);
  return {.wall = time, .mono = time};
}

TEST(CallLimits, HoldsTwoCallsAtATime) {
  CallLimits limits;
  EXPECT_TRUE(limits.take_place());
  EXPECT_TRUE(limits.take_place());
  EXPECT_FALSE(limits.take_place());
  limits.give_back();
  EXPECT_TRUE(limits.take_place());
  EXPECT_FALSE(limits.take_place());
}

TEST(CallLimits, RefusesAtMostFiveCallsWithinAnySecond) {
  CallLimits limits;
  std::vector<std::int64_t> refused;
  for (std::int64_t ms = 10'000; ms < 20'000; ms += 7) {
    if (limits.may_refuse(at_ms(ms))) refused.push_back(ms);
  }
  EXPECT_GE(refused.size(), 45U);
  for (std::size_t i = 5; i < refused.size(); ++i) {
    EXPECT_GE(refused[i] - refused[i - 5], 1'000) << i;
  }
}

}  // namespace
}  // namespace ebb::control
