#include "support/sim/sieve.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace ebb::sim {
namespace {

class SieveTest : public ::testing::TestWithParam<Scenario> {};

TEST_P(SieveTest, EndsTheSameWayWhateverDisturbsIt) {
  const Scenario& scenario = GetParam();
  const Outcome undisturbed = play(scenario, {});
  ASSERT_EQ(undisturbed.problem, "");
  ASSERT_GT(undisturbed.writes, 0U);
  ASSERT_GT(undisturbed.events, 0U);
  for (const Disturbance& disturbance : disturbances(undisturbed)) {
    const Outcome outcome = play(scenario, disturbance);
    EXPECT_EQ(outcome.problem, "") << describe(disturbance);
    EXPECT_EQ(outcome.end_state, undisturbed.end_state) << describe(disturbance);
    EXPECT_EQ(outcome.pods_made, undisturbed.pods_made) << describe(disturbance);
    EXPECT_EQ(outcome.pods_ended, undisturbed.pods_ended) << describe(disturbance);
  }
}

std::string name_of_scenario(const ::testing::TestParamInfo<Scenario>& scenario) {
  std::string name(scenario.param.name);
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Scenarios, SieveTest, ::testing::ValuesIn(scenarios()), name_of_scenario);

TEST(Sieve, CatchesAControllerThatDoesNotAwaitItsOwnWrites) {
  const control::Safeguards none{.expectations = false, .stale_cache_protection = false};
  const Outcome undisturbed = play(scenarios().front(), {});
  bool caught = false;
  for (const Disturbance& disturbance : disturbances(undisturbed)) {
    const Outcome outcome = play(scenarios().front(), disturbance, none);
    caught = caught || !outcome.problem.empty() || outcome.pods_made != undisturbed.pods_made;
    if (caught) break;
  }
  EXPECT_TRUE(caught);
}

}  // namespace
}  // namespace ebb::sim
