#include "base/check.h"

#include <gtest/gtest.h>

namespace ebb {
namespace {

TEST(Check, StopsTheProgramAndNamesTheCondition) {
  const int pods = 3;
  EXPECT_DEATH(EBB_CHECK(pods < 2), "check_test.cc:[0-9]+: pods < 2 does not hold");
}

TEST(Check, PassesWhatHolds) { EBB_CHECK(1 + 1 == 2); }

}  // namespace
}  // namespace ebb
