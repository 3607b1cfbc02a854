#include "control/webhook/cost_cleanup.h"

#include <gtest/gtest.h>

namespace ebb::control {
namespace {

constexpr Nanoseconds kSecond = kNanosecondsPerSecond;

struct CleanupCase {
  std::string_view name;
  CleanupQuestion question;
  bool over;
};

TEST(CostCleanup, PutsCostsBackThatAreNotNeededAnyMore) {
  const CleanupCase cases[] = {
      {"the scale-down is in progress",
       {.size = 4, .age_ns = kSecond, .has_set = true, .replicas = 4, .active = 5},
       false},
      {"the smaller size is not visible yet",
       {.size = 4, .age_ns = kSecond, .has_set = true, .replicas = 6, .active = 6},
       false},
      {"other pods went",
       {.size = 4, .age_ns = 0, .has_set = true, .replicas = 4, .active = 4},
       true},
      {"it was scaled further",
       {.size = 4, .age_ns = 0, .has_set = true, .replicas = 2, .active = 2},
       true},
      {"it was scaled up again, or never down",
       {.size = 4, .age_ns = 30 * kSecond, .has_set = true, .replicas = 6, .active = 6},
       true},
      {"a surplus is left after a while",
       {.size = 4, .age_ns = 599 * kSecond, .has_set = true, .replicas = 4, .active = 5},
       false},
      {"a surplus is left after ten minutes",
       {.size = 4, .age_ns = 600 * kSecond, .has_set = true, .replicas = 4, .active = 5},
       true},
      {"the ReplicaSet is gone", {.size = 4, .age_ns = 0}, true},
  };
  for (const CleanupCase& one : cases) EXPECT_EQ(is_cost_over(one.question), one.over) << one.name;
}

}  // namespace
}  // namespace ebb::control
