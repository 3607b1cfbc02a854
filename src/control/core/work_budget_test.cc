#include "control/core/work_budget.h"

#include <gtest/gtest.h>

namespace ebb::control {
namespace {

Now at(Nanoseconds ns) {
  const Timestamp time = later_by(Timestamp::from_seconds(1000), ns);
  return {.wall = time, .mono = time};
}

TEST(WorkBudget, LetsTurnsFollowEachOtherWhileThereIsLittleToDo) {
  WorkBudget budget;
  for (int i = 0; i < 10; ++i) {
    EXPECT_TRUE(budget.begin(at(0)));
    budget.spend(kUnitsPerRun - 1);
    EXPECT_FALSE(budget.spent());
  }
  EXPECT_EQ(budget.when(at(5).mono), at(5).mono);
}

TEST(WorkBudget, GivesOthersTimeAfterAFullTurnHoweverLongItTook) {
  constexpr Nanoseconds kSlow = 50'000'000;
  WorkBudget budget;
  ASSERT_TRUE(budget.begin(at(0)));
  budget.spend(kUnitsPerRun);
  EXPECT_TRUE(budget.spent());
  EXPECT_TRUE(budget.when({}).is_zero()) << "nothing is due";
  EXPECT_LE(budget.when(at(0).mono), at(0).mono) << "right away, to see how long it took";
  EXPECT_FALSE(budget.begin(at(kSlow)));
  EXPECT_EQ(budget.when(at(0).mono), at(kSlow + kBetweenRunsNs).mono);
  EXPECT_FALSE(budget.begin(at(kSlow + kBetweenRunsNs - 1)));
  EXPECT_TRUE(budget.begin(at(kSlow + kBetweenRunsNs)));
  EXPECT_FALSE(budget.spent());
}

}  // namespace
}  // namespace ebb::control
