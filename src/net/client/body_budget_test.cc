#include "net/client/body_budget.h"

#include <list>

#include <gtest/gtest.h>

namespace ebb::net {
namespace {

TEST(BodyBudget, LetsOneHaveAllOfIt) {
  BodyBudget budget(100);
  BodyBudget::Share one(budget);
  EXPECT_TRUE(one.grow(100));
  EXPECT_FALSE(one.grow(1));
}

TEST(BodyBudget, RefusesGrowthBeyondAnEqualShareWhenItIsFull) {
  BodyBudget budget(100);
  BodyBudget::Share large(budget);
  EXPECT_TRUE(large.grow(90));
  BodyBudget::Share small(budget);
  EXPECT_TRUE(small.grow(10));
  EXPECT_TRUE(small.grow(40));  // half of it
  EXPECT_FALSE(large.grow(1));
  EXPECT_FALSE(small.grow(1));
}

TEST(BodyBudget, HasEverythingAgainWhenAllAreOver) {
  BodyBudget budget(100);
  for (int round = 0; round < 3; ++round) {
    std::list<BodyBudget::Share> shares;
    for (int i = 0; i < 10; ++i) EXPECT_TRUE(shares.emplace_back(budget).grow(10));
    EXPECT_FALSE(shares.front().grow(1));
  }
}

TEST(BodyBudget, IsWithoutLimitIfItIsZero) {
  BodyBudget budget(0);
  BodyBudget::Share one(budget);
  EXPECT_TRUE(one.grow(std::size_t{1} << 40U));
}

}  // namespace
}  // namespace ebb::net
