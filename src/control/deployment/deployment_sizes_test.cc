// Sizes that were computed by hand from the two budgets; the cases are those of upstream's tests.
#include "control/deployment/deployment_sizes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace ebb::control::deployments {
namespace {

struct Set {
  std::int64_t replicas = 0;
  std::int64_t available = 0;
};

// The first is the new one, if any; the others are older, the oldest last.
Snapshot snapshot(std::int64_t replicas, std::int64_t surge, std::int64_t unavailable,
                  const std::vector<Set>& sets) {
  Snapshot made;
  made.deployment.replicas = replicas;
  made.deployment.surge = surge;
  made.deployment.unavailable = unavailable;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    SetView set;
    set.name = fmt::format("web-{}", i);
    set.uid = set.name;
    set.created = Timestamp::from_seconds(1000 - static_cast<std::int64_t>(i));
    set.replicas = sets[i].replicas;
    set.available = sets[i].available;
    set.desired = replicas;
    set.max = replicas + surge;
    made.sets.push_back(std::move(set));
  }
  return made;
}

std::vector<std::int64_t> after(const Snapshot& made, const std::vector<Resize>& resizes) {
  std::vector<std::int64_t> sizes;
  for (const SetView& set : made.sets) {
    sizes.push_back(set.replicas);
    for (const Resize& resize : resizes) {
      if (resize.set == &set) sizes.back() = resize.to;
    }
  }
  return sizes;
}

using Sizes = std::vector<std::int64_t>;

TEST(RollingUpdate, GrowsAndShrinksAsUpstreamDoes) {
  struct Case {
    const char* name;
    std::int64_t replicas;
    std::int64_t surge;
    std::int64_t unavailable;
    std::vector<Set> sets;
    Sizes expected;
  };
  const Case cases[] = {
      {"no surge, no room", 10, 0, 1, {{0, 0}, {10, 10}}, {0, 9}},
      {"a surge of two", 10, 2, 0, {{0, 0}, {10, 10}}, {2, 10}},
      {"room for more", 10, 2, 0, {{0, 0}, {5, 5}}, {7, 5}},
      {"too many new ones", 10, 2, 0, {{11, 11}, {0, 0}}, {10, 0}},
      {"all there is", 10, 2, 0, {{10, 10}, {0, 0}}, {10, 0}},
      {"two may be missing", 10, 0, 2, {{0, 0}, {10, 10}}, {0, 8}},
      // 10 - (10 - 2) = 2 may go, and both unhealthy ones do; none of the 8 others is to spare.
      {"unhealthy ones first", 10, 0, 2, {{0, 0}, {10, 8}}, {0, 8}},
      // 12 wanted in all, 2 new ones not available yet: 12 - 8 - 2 = 2, and 10 - 8 = 2 are spare.
      {"new ones that are not ready hold back", 10, 2, 2, {{2, 0}, {10, 10}}, {2, 8}},
      {"all new ones are missing", 10, 2, 0, {{2, 0}, {10, 10}}, {2, 10}},
      {"some of them came", 10, 2, 0, {{2, 1}, {10, 10}}, {2, 9}},
      // 14 - 8 - 0 = 6 may go: first the 2 unhealthy of the oldest, then 12 - 8 = 4 spare ones.
      {"oldest first", 10, 4, 2, {{4, 4}, {5, 5}, {5, 3}}, {4, 4, 0}},
      {"nothing is available at all", 10, 0, 3, {{0, 0}, {10, 0}}, {0, 7}},
      // Available pods beyond the wanted size are about to go and do not count.
      {"a shrinking set", 10, 3, 2, {{3, 3}, {5, 10}, {5, 5}}, {3, 5, 0}},
  };
  for (const Case& c : cases) {
    const Snapshot made = snapshot(c.replicas, c.surge, c.unavailable, c.sets);
    EXPECT_EQ(after(made, rolling_update_step(made, made.sets[0])), c.expected) << c.name;
  }
}

// Whatever the state, a step asks for no more pods than allowed (unless there were more) and
// leaves enough available ones (unless there were fewer).
RC_GTEST_PROP(RollingUpdate, StaysWithinItsBudgets, ()) {
  const std::int64_t replicas = *rc::gen::inRange<std::int64_t>(0, 30);
  const std::int64_t surge = *rc::gen::inRange<std::int64_t>(0, 10);
  const std::int64_t unavailable =
      std::min(replicas, *rc::gen::inRange<std::int64_t>(surge == 0 ? 1 : 0, 10));
  std::vector<Set> sets;
  for (int i = *rc::gen::inRange(1, 5); i > 0; --i) {
    const std::int64_t size = *rc::gen::inRange<std::int64_t>(0, 20);
    sets.push_back({size, *rc::gen::inRange<std::int64_t>(0, size + 5)});
  }
  const Snapshot made = snapshot(replicas, surge, unavailable, sets);
  const Sizes sizes = after(made, rolling_update_step(made, made.sets[0]));
  std::int64_t wanted_before = 0;
  std::int64_t wanted = 0;
  std::int64_t available_before = 0;
  std::int64_t available = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    wanted_before += made.sets[i].replicas;
    wanted += sizes[i];
    available_before += made.sets[i].lasting_available();
    available += std::min(made.sets[i].available, sizes[i]);
    RC_ASSERT(sizes[i] >= 0);
  }
  RC_ASSERT(wanted <= std::max(wanted_before, replicas + surge));
  // The new ReplicaSet may always shrink to what is wanted.
  const bool new_one_shrinks = made.sets[0].replicas > replicas;
  RC_ASSERT(new_one_shrinks || available >= std::min(available_before, replicas - unavailable));
}

TEST(Recreate, NothingNewComesWhileOldPodsAreLeft) {
  Snapshot made = snapshot(3, 0, 0, {{0, 0}, {0, 0}});
  EXPECT_FALSE(old_pods_are_left(made, &made.sets[0]));
  made.sets[0].status_replicas = 1;
  made.sets[0].has_unfinished_pods = true;
  EXPECT_FALSE(old_pods_are_left(made, &made.sets[0])) << "its own pods do not count";
  EXPECT_TRUE(old_pods_are_left(made, nullptr));
  made.sets[1].status_replicas = 1;
  EXPECT_TRUE(old_pods_are_left(made, &made.sets[0]));
  made.sets[1].status_replicas = 0;
  made.sets[1].has_unfinished_pods = true;
  EXPECT_TRUE(old_pods_are_left(made, &made.sets[0]));
}

TEST(DeploymentScaling, AgreesWithUpstreamsTable) {
  struct Case {
    const char* name;
    std::int64_t from;
    std::int64_t surge_before;
    std::int64_t to;
    std::int64_t surge;
    bool has_new;
    std::vector<Set> sets;
    Sizes expected;
  };
  const Case cases[] = {
      {"up", 10, 0, 12, 0, true, {{10, 0}}, {12}},
      {"down", 10, 0, 5, 0, true, {{10, 0}}, {5}},
      {"in proportion", 5, 0, 10, 0, true, {{2, 0}, {3, 0}}, {4, 6}},
      {"down in proportion", 5, 0, 3, 0, true, {{2, 0}, {3, 0}}, {1, 2}},
      {"one vanishes", 9, 0, 4, 0, true, {{8, 0}, {1, 0}}, {4, 0}},
      {"three grow", 7, 0, 10, 0, true, {{2, 0}, {3, 0}, {2, 0}}, {3, 4, 3}},
      {"three shrink", 13, 0, 8, 0, true, {{2, 0}, {8, 0}, {3, 0}}, {1, 5, 2}},
      {"left over goes to the newest", 3, 0, 4, 0, true, {{1, 0}, {1, 0}, {1, 0}}, {2, 1, 1}},
      {"too much comes from the oldest", 3, 0, 2, 0, true, {{1, 0}, {1, 0}, {1, 0}}, {1, 1, 0}},
      {"no new one yet", 4, 0, 5, 0, false, {{2, 0}, {2, 0}}, {3, 2}},
      {"to none", 6, 0, 0, 0, true, {{3, 0}, {2, 0}, {1, 0}}, {0, 0, 0}},
      {"from none", 0, 0, 6, 0, true, {{0, 0}, {0, 0}, {0, 0}}, {6, 0, 0}},
      {"from none, without a new one", 0, 0, 6, 0, false, {{0, 0}, {0, 0}}, {6, 0}},
      {"with a surge", 10, 2, 20, 2, true, {{6, 0}, {6, 0}}, {11, 11}},
      {"with another surge", 10, 3, 50, 6, true, {{5, 0}, {8, 0}}, {22, 34}},
      {"with another template", 10, 0, 14, 0, false, {{7, 0}, {3, 0}}, {10, 4}},
      {"a full size that is not available keeps the old",
       2,
       2,
       2,
       2,
       true,
       {{2, 0}, {2, 0}},
       {2, 2}},
      {"a full size that is available does not", 2, 2, 2, 2, true, {{2, 2}, {2, 0}}, {2, 0}},
  };
  for (const Case& c : cases) {
    Snapshot made = snapshot(c.to, c.surge, 0, c.sets);
    for (SetView& set : made.sets) {
      set.desired = c.from;
      set.max = c.from + c.surge_before;
    }
    const SetView* fresh = c.has_new ? &made.sets[0] : nullptr;
    EXPECT_EQ(after(made, scaling_step(made, fresh)), c.expected) << c.name;
  }
}

// One of three writes had failed: v2 still says it was scaled for 3.
TEST(DeploymentScaling, AWriteThatFailedIsMadeUpFor) {
  Snapshot made = snapshot(5, 0, 0, {{2, 0}, {1, 0}, {1, 0}});
  made.sets[1].desired = made.sets[1].max = 3;
  ASSERT_TRUE(is_scaling(made));
  EXPECT_EQ(after(made, scaling_step(made, &made.sets[0])), (Sizes{2, 2, 1}));
}

TEST(DeploymentScaling, DoesNotOverflow) {
  Snapshot made = snapshot(100'000, 25'000, 0, {{50'000, 0}, {40'000, 0}});
  for (SetView& set : made.sets) set.max = set.desired = 90'000;
  const Sizes sizes = after(made, scaling_step(made, &made.sets[0]));
  EXPECT_EQ(sizes[0] + sizes[1], 125'000);
  EXPECT_GT(sizes[0], sizes[1]);
}

// Another client scaled the ReplicaSet directly to the size that the Deployment wants now.
TEST(DeploymentScaling, AReplicaSetThatHasTheSizeLearnsWhatItIsFor) {
  Snapshot made = snapshot(5, 0, 0, {{5, 5}});
  made.sets[0].desired = 10;
  ASSERT_TRUE(is_scaling(made));
  ASSERT_EQ(scaling_step(made, &made.sets[0]).size(), 1U);
  made.sets[0].desired = 5;
  EXPECT_FALSE(is_scaling(made));
  EXPECT_TRUE(scaling_step(made, &made.sets[0]).empty());
}

}  // namespace
}  // namespace ebb::control::deployments
