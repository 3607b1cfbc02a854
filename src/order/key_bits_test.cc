#include "order/key_bits.h"

#include <gtest/gtest.h>

namespace ebb::order {
namespace {

constexpr std::int32_t kRising[] = {INT32_MIN, INT32_MIN + 1, -2,       -1, 0, 1, 2,
                                    7,         INT32_MAX - 1, INT32_MAX};

TEST(KeyBits, AscendingKeysRiseWithTheValue) {
  for (std::size_t i = 1; i < std::size(kRising); ++i) {
    EXPECT_LT(ascending(kRising[i - 1]), ascending(kRising[i])) << kRising[i];
  }
}

TEST(KeyBits, DescendingKeysFallWithTheValue) {
  for (std::size_t i = 1; i < std::size(kRising); ++i) {
    EXPECT_GT(descending(kRising[i - 1]), descending(kRising[i])) << kRising[i];
  }
}

// Two of them share a word in the restarts criterion, and a lineup counts their bits.
TEST(KeyBits, TakeNoMoreThanThirtyTwoBits) {
  for (const std::int32_t value : kRising) {
    EXPECT_EQ(ascending(value) >> 32, 0U) << value;
    EXPECT_EQ(descending(value) >> 32, 0U) << value;
  }
}

}  // namespace
}  // namespace ebb::order
