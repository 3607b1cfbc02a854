#include "runtime/telemetry/guard_status_log.h"

#include <gtest/gtest.h>

namespace ebb::runtime {
namespace {

using control::GuardState;
using control::GuardStatus;

Timestamp second(int number) { return Timestamp::from_seconds(number); }

GuardStatus status(GuardState state, std::string reason = {}) {
  return {.controller = "replicaset-controller",
          .state = state,
          .acting = state == GuardState::kActing,
          .reason = std::move(reason),
          .remedy = "switch it off"};
}

TEST(GuardStatusLog, ReportsEveryChangeOfState) {
  GuardStatusLog log;
  const auto waits = log.observe(status(GuardState::kProbing, "waits"), second(1));
  ASSERT_TRUE(waits);
  EXPECT_FALSE(waits->bad);
  EXPECT_EQ(waits->text, "replicaset-controller does not act: waits; switch it off");
  const auto acts = log.observe(status(GuardState::kActing), second(2));
  ASSERT_TRUE(acts);
  EXPECT_EQ(acts->text, "replicaset-controller acts");
  const auto stops = log.observe(status(GuardState::kBlocked, "there is another"), second(3));
  ASSERT_TRUE(stops);
  EXPECT_TRUE(stops->bad);
  EXPECT_EQ(stops->text, "replicaset-controller does not act: there is another; switch it off");
}

TEST(GuardStatusLog, AsksForNothingOnStandby) {
  GuardStatusLog log;
  const auto line = log.observe(status(GuardState::kStandby, "another replica leads"), second(1));
  ASSERT_TRUE(line);
  EXPECT_FALSE(line->bad);
  EXPECT_EQ(line->text, "replicaset-controller stands by: another replica leads");
}

TEST(GuardStatusLog, DoesNotRepeatItselfAtEveryPoll) {
  GuardStatusLog log;
  int lines = 0;
  for (int i = 0; i < 120; ++i) {
    const std::string reason = "waits " + std::to_string(300 - i) + " s more";
    lines += log.observe(status(GuardState::kProbing, reason), second(1 + i)) ? 1 : 0;
  }
  EXPECT_EQ(lines, 2);
  EXPECT_TRUE(log.observe(status(GuardState::kBlocked, "there is another"), second(200)));
  EXPECT_FALSE(log.observe(status(GuardState::kBlocked, "there is another"), second(9000)));
}

}  // namespace
}  // namespace ebb::runtime
