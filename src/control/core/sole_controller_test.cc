#include "control/core/sole_controller.h"

#include <set>

#include <gtest/gtest.h>

namespace ebb::control {
namespace {

TEST(SoleController, EveryStateHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (const GuardState state : {GuardState::kProbing, GuardState::kStandby, GuardState::kActing,
                                 GuardState::kBlocked, GuardState::kForbidden}) {
    EXPECT_TRUE(names.insert(to_string(state)).second) << to_string(state);
  }
}

// I10: the last write may begin just before the canary's last good read is too old.
TEST(SoleController, StopsWithinFiveSecondsByDefault) {
  const SoleControllerOptions options;
  EXPECT_LT(options.clear_for_ns, 5 * kNanosecondsPerSecond);
  EXPECT_LE(2 * options.poll_period_ns, options.clear_for_ns) << "one read may fail";
}

// A stock controller that restarts acknowledges the canary within these times.
TEST(SoleController, WaitsLongestForAControllerThatMayComeBack) {
  const SoleControllerOptions options;
  EXPECT_GT(options.take_over_ns, options.probe_period_ns);
  EXPECT_GT(options.restart_wait_ns, options.take_over_ns);
}

}  // namespace
}  // namespace ebb::control
