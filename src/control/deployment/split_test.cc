// Sizes that were computed by hand from the rule: each ReplicaSet gets round(size * (replicas +
// surge) / (previous replicas + surge)), the running total stops at the number to add or remove,
// and the largest ReplicaSet gets the remainder. The cases are those of upstream's test of its
// scaling path.
#include "control/deployment/split.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/objects/pods.h"

namespace ebb::control {
namespace {

using model::Deployment;
using model::IntOrPercent;
using model::ReplicaSet;
using testing::World;

using How = Split::How;
using Sizes = std::vector<std::int32_t>;

// A Deployment and its ReplicaSets, the newest first. Only the first can be the new one.
class Rollout {
 public:
  Rollout(const Sizes& sizes, std::int32_t replicas, IntOrPercent surge = {0, false}) {
    deployment.revision = 9;
    deployment.max_surge = surge;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      ReplicaSet set = world_.replica_set(fmt::format("web-v{}", sizes.size() - i), sizes[i]);
      set.created = Timestamp::from_seconds(1000 - static_cast<std::int64_t>(i));
      set.revision = 9 - static_cast<std::int64_t>(i);
      set.desired_annotation = replicas;
      set.max_annotation = replicas + surge.value;
      sets.push_back(set);
    }
  }

  [[nodiscard]] Split split(std::int32_t replicas) const {
    std::vector<const ReplicaSet*> listed;
    for (const ReplicaSet& set : sets) listed.push_back(&set);
    return split_replicas(deployment, listed, replicas);
  }

  // The size of each ReplicaSet after that; what gets no share keeps its size.
  [[nodiscard]] Sizes sizes_after(std::int32_t replicas) const {
    Sizes sizes;
    for (const ReplicaSet& set : sets) sizes.push_back(set.replicas);
    for (const auto& [set, size] : split(replicas).shares) {
      sizes[static_cast<std::size_t>(set - sets.data())] = size;
    }
    return sizes;
  }

  Deployment deployment;
  std::vector<ReplicaSet> sets;

 private:
  World world_;
};

TEST(Split, AgreesWithUpstreamsTable) {
  struct Case {
    const char* name;
    std::int32_t from;
    Sizes sizes;
    std::int32_t to;
    Sizes expected;
  };
  const Case cases[] = {
      {"one set grows", 10, {10}, 12, {12}},
      {"one set shrinks", 10, {10}, 5, {5}},
      // 2*10/5 = 4, 3*10/5 = 6
      {"doubles", 5, {2, 3}, 10, {4, 6}},
      // 3*3/5 = 1.8 -> 2, 2*3/5 = 1.2 -> 1
      {"shrinks", 5, {2, 3}, 3, {1, 2}},
      // 8*4/9 = 3.6 -> 4 removes 4 of 5; 1*4/9 = 0.4 -> 0 removes the fifth
      {"small set vanishes", 9, {8, 1}, 4, {4, 0}},
      // 3*10/7 = 4.3 -> 4, 2*10/7 = 2.9 -> 3 twice
      {"three grow", 7, {2, 3, 2}, 10, {3, 4, 3}},
      // 8*8/13 = 4.9 -> 5, 3*8/13 = 1.8 -> 2, 2*8/13 = 1.2 -> 1
      {"three shrink", 13, {2, 8, 3}, 8, {1, 5, 2}},
      // 1*4/3 = 1.3 -> 1 for all, and one is left over
      {"what is left over goes to the newest", 3, {1, 1, 1}, 4, {2, 1, 1}},
      // 1*2/3 = 0.7 -> 1 for all, and one is too many
      {"what is too much comes from the oldest", 3, {1, 1, 1}, 2, {1, 1, 0}},
      {"down to none", 6, {3, 2, 1}, 0, {0, 0, 0}},
      {"up from none", 6, {0, 0, 0}, 6, {6, 0, 0}},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(Rollout(c.sizes, c.from).sizes_after(c.to), c.expected) << c.name;
  }
}

// 2*5/4 = 2.5 rounds to 3 for the newer one, which takes all there is to take.
TEST(Split, WithoutANewReplicaSetTheNewestOldOneGrows) {
  Rollout rollout({2, 2}, 4);
  rollout.deployment.revision = 77;
  EXPECT_EQ(rollout.sizes_after(5), (Sizes{3, 2}));
}

// 7*14/10 = 9.8 -> 10, 3*14/10 = 4.2 -> 4. The new ReplicaSet does not exist yet.
TEST(Split, SizeAndTemplateChangeTogether) {
  Rollout rollout({7, 3}, 10);
  rollout.deployment.revision = 77;
  EXPECT_EQ(rollout.sizes_after(14), (Sizes{10, 4}));
}

// The sizes of v3 and v1 were written and that of v2 was not. 5 wanted, 4 there, and
// v2 was last scaled for 3: 2*5/5 = 2, 1*5/3 = 1.7 -> 2, and then all are spent.
TEST(Split, UpdateThatFailedIsMadeUpFor) {
  Rollout rollout({2, 1, 1}, 5);
  rollout.sets[1].desired_annotation = rollout.sets[1].max_annotation = 3;
  EXPECT_EQ(rollout.sizes_after(5), (Sizes{2, 2, 1}));
}

TEST(Split, SurgeIsSharedAsWell) {
  // 6*22/12 = 11
  EXPECT_EQ(Rollout({6, 6}, 10, {2, false}).sizes_after(20), (Sizes{11, 11}));

  // 8*56/13 = 34.5 -> 34, 5*56/13 = 21.5 -> 22
  Rollout both({5, 8}, 10, {3, false});
  both.deployment.max_surge = {6, false};
  EXPECT_EQ(both.sizes_after(50), (Sizes{22, 34}));

  // 100*140/120 = 116.7 -> 117, 20*140/120 = 23.3 -> 23
  EXPECT_EQ(Rollout({20, 100}, 100, {20, false}).sizes_after(120), (Sizes{23, 117}));

  // 8*33/13 = 20.3 -> 20, 5*33/13 = 12.7 -> 13
  EXPECT_EQ(Rollout({5, 8}, 10, {3, false}).sizes_after(30), (Sizes{13, 20}));
}

// 25% of 10 are 2.5 -> 3, so that 13 may stay, which is what there is.
TEST(Split, SurgeInPercentIsRoundedUp) {
  Rollout rollout({5, 8}, 10, {25, true});
  for (ReplicaSet& set : rollout.sets) set.max_annotation = 13;
  EXPECT_EQ(rollout.sizes_after(10), (Sizes{5, 8}));
  // 25% of 17 are 4.25 -> 5: 8*22/13 = 13.5 -> 14, and 8 remain for the other
  EXPECT_EQ(rollout.sizes_after(17), (Sizes{8, 14}));
}

TEST(Split, HalvesAreRoundedAwayFromZero) {
  // 3*6/4 = 4.5 -> 5, 1*6/4 = 1.5 -> 2 but only one is left
  EXPECT_EQ(Rollout({3, 1}, 4).sizes_after(6), (Sizes{5, 1}));
}

TEST(Split, WhenTheNewReplicaSetHasAllItNeedsTheOthersGoToZero) {
  Rollout rollout({5, 3, 2}, 5);
  rollout.sets[0].available = 5;
  EXPECT_EQ(rollout.split(5).how, How::kSaturated);
  EXPECT_EQ(rollout.sizes_after(5), (Sizes{5, 0, 0}));
}

// Size, annotation and availability must all be there.
TEST(Split, NewReplicaSetThatIsNotQuiteThereIsNotSaturated) {
  Rollout rollout({2, 1}, 2, {1, false});
  rollout.sets[0].available = 0;
  EXPECT_EQ(rollout.split(2).how, How::kProportional);
  EXPECT_EQ(rollout.sizes_after(2), (Sizes{2, 1}));

  rollout.sets[0].available = 2;
  EXPECT_EQ(rollout.split(2).how, How::kSaturated);
  rollout.sets[0].desired_annotation = 3;
  EXPECT_EQ(rollout.split(2).how, How::kProportional);
  rollout.sets[0].desired_annotation = 2;
  rollout.deployment.revision = 77;
  EXPECT_EQ(rollout.split(2).how, How::kProportional);
}

TEST(Split, DuringARecreateNothingIsScaled) {
  Rollout rollout({2, 3}, 5);
  rollout.deployment.recreate = true;
  EXPECT_EQ(rollout.split(10).how, How::kRecreate);
  EXPECT_EQ(rollout.sizes_after(10), (Sizes{2, 3}));
}

TEST(Split, OneActiveReplicaSetGetsEverythingEvenWithRecreate) {
  Rollout rollout({0, 3, 0}, 3);
  rollout.deployment.recreate = true;
  EXPECT_EQ(rollout.split(7).how, How::kWhole);
  EXPECT_EQ(rollout.sizes_after(7), (Sizes{0, 7, 0}));
}

TEST(Split, WithNoneActiveTheNewestGetsEverythingIfThereIsNoNewOne) {
  Rollout rollout({0, 0}, 3);
  std::swap(rollout.sets[0].created, rollout.sets[1].created);
  EXPECT_EQ(rollout.sizes_after(3), (Sizes{3, 0}));  // the new one, by revision
  rollout.deployment.revision = 77;
  EXPECT_EQ(rollout.sizes_after(3), (Sizes{0, 3}));
  rollout.deployment.revision = {};
  EXPECT_EQ(rollout.sizes_after(3), (Sizes{0, 3}));
}

TEST(Split, WithoutReplicaSetsThereIsNothingToShare) {
  EXPECT_TRUE(Rollout({}, 3).split(5).shares.empty());
}

// 2*10/5 and 3*10/5 again; without that number nothing moves but what is left over.
TEST(Split, ReplicasInTheStatusStandInForAMissingAnnotation) {
  for (const std::optional<std::int32_t> missing : {std::optional<std::int32_t>(), {0}}) {
    Rollout rollout({2, 3}, 5);
    for (ReplicaSet& set : rollout.sets) set.max_annotation = missing;
    rollout.deployment.status_replicas = 5;
    EXPECT_EQ(rollout.sizes_after(10), (Sizes{4, 6}));
    rollout.deployment.status_replicas = 0;
    EXPECT_EQ(rollout.sizes_after(10), (Sizes{2, 8}));
  }
}

TEST(Split, LargestReplicaSetComesFirst) {
  const Split split = Rollout({2, 8, 3}, 13).split(8);
  Sizes sizes;
  for (const auto& [set, replicas] : split.shares) sizes.push_back(replicas);
  EXPECT_EQ(sizes, (Sizes{5, 2, 1}));
}

// 1*10/20 = 0.5 -> 1 for all, so ten are too many, and the first has one to give.
TEST(Split, NoSizeGoesBelowZeroForTheSakeOfTheTotal) {
  Sizes expected(20, 1);
  expected.back() = 0;  // the oldest of equals
  EXPECT_EQ(Rollout(Sizes(20, 1), 20).sizes_after(10), expected);
}

// A file or an annotation may contain such numbers. Their products do not
// fit into 64 bits.
TEST(Split, HugeNumbersStayWithinBounds) {
  constexpr std::int32_t kMax = INT32_MAX;
  for (const IntOrPercent surge : {IntOrPercent{kMax, false}, IntOrPercent{kMax, true}}) {
    for (const std::int32_t before : {1, kMax}) {
      Rollout rollout({kMax, kMax}, 1, {0, false});
      rollout.deployment.max_surge = surge;
      for (ReplicaSet& set : rollout.sets) set.max_annotation = before;
      for (const auto& [set, replicas] : rollout.split(kMax).shares) EXPECT_GE(replicas, 0);
    }
  }
}

// Unless so many shares were rounded up that the largest, which pays for it, has none
// left: that is upstream's rule.
RC_GTEST_PROP(Split, SharesAddUpToReplicasAndSurge, ()) {
  const auto sizes =
      *rc::gen::nonEmpty(rc::gen::container<Sizes>(rc::gen::inRange<std::int32_t>(1, 200)));
  RC_PRE(sizes.size() > 1U);
  const auto surge = *rc::gen::inRange<std::int32_t>(0, 20);
  const auto replicas = *rc::gen::inRange<std::int32_t>(0, 2000);
  std::int32_t before = 0;
  for (const std::int32_t size : sizes) before += size;
  Rollout rollout(sizes, 0, {surge, false});
  for (ReplicaSet& set : rollout.sets) set.max_annotation = before;

  const Split split = rollout.split(replicas);
  RC_ASSERT(split.how == How::kProportional);
  RC_ASSERT(split.shares.size() == sizes.size());
  std::int32_t total = 0;
  for (const auto& [set, share] : split.shares) {
    RC_ASSERT(share >= 0);
    total += share;
  }
  const std::int32_t allowed = replicas == 0 ? 0 : replicas + surge;
  RC_ASSERT(total == allowed || (total > allowed && split.shares.front().replicas == 0));
}

}  // namespace
}  // namespace ebb::control
