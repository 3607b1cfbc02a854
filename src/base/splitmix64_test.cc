#include "base/splitmix64.h"

#include <gtest/gtest.h>

namespace ebb {
namespace {

// The first numbers of the reference implementation (Vigna, splitmix64.c) for the seed 1234567.
TEST(SplitMix64, GivesTheReferenceNumbers) {
  std::uint64_t state = 1234567;
  for (const std::uint64_t expected :
       {6457827717110365317U, 3203168211198807973U, 9817491932198370423U}) {
    EXPECT_EQ(splitmix64(state), expected);
  }
}

TEST(SplitMix64, FractionsAreAtLeastZeroAndBelowOne) {
  std::uint64_t state = 0;
  for (int i = 0; i < 1000; ++i) {
    const double fraction = splitmix64_fraction(state);
    EXPECT_GE(fraction, 0.0);
    EXPECT_LT(fraction, 1.0);
  }
}

}  // namespace
}  // namespace ebb
