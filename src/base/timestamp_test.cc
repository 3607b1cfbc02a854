#include "base/timestamp.h"

#include <gtest/gtest.h>

namespace ebb {
namespace {

constexpr auto kMax = std::numeric_limits<Nanoseconds>::max();
constexpr auto kMin = std::numeric_limits<Nanoseconds>::min();

TEST(Timestamp, ZeroTimeIsNotTheEpochAndSortsFirst) {
  EXPECT_TRUE(Timestamp().is_zero());
  EXPECT_FALSE(Timestamp::from_seconds(0).is_zero());
  EXPECT_LT(Timestamp(), Timestamp::from_nanoseconds(kMin));
}

TEST(Timestamp, KeepsDatesOutsideTheRangeAtItsEnds) {
  EXPECT_EQ(Timestamp::from_seconds(253402300799).since_epoch_ns(), kMax);
  EXPECT_EQ(Timestamp::from_seconds(-99999999999).since_epoch_ns(), kMin + 1);
  EXPECT_FALSE(Timestamp::from_nanoseconds(kMin).is_zero());
}

TEST(Timestamp, DifferencesSaturateInsteadOfOverflowing) {
  const auto past = Timestamp::from_nanoseconds(kMin);
  const auto future = Timestamp::from_nanoseconds(kMax);
  EXPECT_EQ(elapsed_ns(past, future), kMax);
  EXPECT_EQ(elapsed_ns(future, past), kMin);
  EXPECT_EQ(elapsed_ns(Timestamp::from_seconds(3), Timestamp::from_seconds(5)), 2'000'000'000);
}

}  // namespace
}  // namespace ebb
