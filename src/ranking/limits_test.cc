// Tenants cannot make a ranking arbitrarily expensive.
#include "ranking/limits.h"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ranking/rank_group.h"
#include "ranking/violations.h"
#include "support/ranking/ranking_scene.h"

namespace ebb::ranking {
namespace {

using testing::weighed;

class RankingLimits : public ::testing::Test {
 protected:
  RankingLimits() {
    scene_.add_node("a1", {{"zone", "a"}});
    scene_.add_node("a2", {{"zone", "a"}});
    scene_.add_node("b1", {{"zone", "b"}});
  }

  model::AntiAffinityTerm term(std::size_t namespaces, std::int32_t weight = 1) {
    model::AntiAffinityTerm made = scene_.term("zone", "app", "web", weight);
    for (std::size_t i = 0; i < namespaces; ++i) {
      made.namespaces.push_back(scene_.world.intern(fmt::format("team-{}", i)));
    }
    return made;
  }
  model::Placement& placement(std::size_t terms, std::size_t namespaces) {
    model::Placement& made = scene_.add_placement();
    for (std::size_t i = 0; i < terms; ++i) made.anti_affinity.push_back(term(namespaces));
    return made;
  }
  void add_pods(std::size_t count, const model::Placement* placement) {
    for (std::size_t i = 0; i < count; ++i) {
      const char* const node = i % 3 == 0 ? "b1" : "a1";
      scene_.add_pod(fmt::format("p{}", pods_++), node).placement = placement;
    }
  }
  GroupRanks rank(const Settings& settings = {.strategies = {weighed("AntiAffinity")}}) {
    return rank_group(settings, scene_.group(), scene_);
  }

  testing::RankingScene scene_;
  int pods_ = 0;
};

TEST_F(RankingLimits, AnOrdinaryGroupMeetsNone) {
  add_pods(50, &placement(2, 0));
  const GroupRanks ranks = rank();
  EXPECT_TRUE(ranks.effort.limits.empty());
  EXPECT_GT(ranks.effort.units, 0U);
}

TEST_F(RankingLimits, TheFirstTermsOfAPodCount) {
  model::Placement& many = placement(kMaxTermsPerPod, 0);
  for (int i = 0; i < 300; ++i) many.anti_affinity.push_back(term(0, 100));
  add_pods(6, &many);
  const GroupRanks ranks = rank();
  ASSERT_EQ(ranks.effort.limits.size(), 1U);
  EXPECT_EQ(ranks.effort.limits[0],
            "not all anti-affinity terms are weighed: at most 16 of a pod, and 64 of a group this "
            "large");
  many.anti_affinity.resize(kMaxTermsPerPod);
  EXPECT_EQ(rank().of_pods, ranks.of_pods);
  EXPECT_TRUE(rank().effort.limits.empty());
}

// The work per pod does not grow with the template, so a turn stays short.
TEST_F(RankingLimits, AHugeTemplateCostsNoMoreWorkThanALargeOne) {
  constexpr std::size_t kPods = 2'000;
  model::Placement& template_of_all = placement(kMaxTermsPerPod, 0);
  add_pods(kPods, &template_of_all);
  const std::uint64_t large = rank().effort.units;
  model::Placement huge;
  for (int i = 0; i < 300; ++i) huge.anti_affinity.push_back(term(300));
  template_of_all = huge;
  const GroupRanks ranks = rank();
  EXPECT_LE(ranks.effort.units, large);
  EXPECT_FALSE(ranks.effort.limits.empty());
}

TEST_F(RankingLimits, LargeGroupsWeighFewerTerms) {
  constexpr std::size_t kPods = 5'000;
  for (int i = 0; i < 10; ++i) add_pods(kPods / 10, &placement(300, 0));
  const GroupRanks ranks = rank();
  EXPECT_LE(ranks.effort.units, kMaxPodTerms + kMaxMeantPodTerms + 10 * kPods);
  EXPECT_FALSE(ranks.effort.limits.empty());
}

// Otherwise ranks would change by themselves.
TEST_F(RankingLimits, OmissionsDoNotDependOnTheOrderOfPods) {
  for (int i = 0; i < 10; ++i) {
    model::Placement& one = placement(20, 0);
    one.anti_affinity[0].weight = i + 1;
    add_pods(3, &one);
  }
  std::vector<const model::Pod*> pods = scene_.group();
  const Settings settings{.strategies = {weighed("AntiAffinity")}};
  const Ranks ranks = rank_group(settings, pods, scene_).of_pods;
  std::reverse(pods.begin(), pods.end());
  Ranks reversed = rank_group(settings, pods, scene_).of_pods;
  std::reverse(reversed.begin(), reversed.end());
  EXPECT_EQ(ranks, reversed);
}

TEST_F(RankingLimits, TooManyTermsOfOthersAreAllLeftOut) {
  add_pods(2, nullptr);
  for (std::size_t i = 0; i <= kMaxTermsPerGroup; ++i) {
    scene_.add_other_pod(fmt::format("x{}", i), "a1").placement = &placement(1, 0);
  }
  const GroupRanks ranks = rank();
  EXPECT_EQ(ranks.of_pods, (Ranks{0, 0}));
  ASSERT_EQ(ranks.effort.limits.size(), 1U);
  EXPECT_NE(ranks.effort.limits[0].find("terms of other workloads"), std::string::npos);
}

// None of these terms matches the group, but finding that out is work too.
TEST_F(RankingLimits, TheSearchForTermsOfOthersHasALimit) {
  model::AntiAffinityTerm other = scene_.term("zone", "app", "x", 1);
  for (int i = 0; i < 400; ++i) {
    other.selector.requirements[0].values.push_back(scene_.world.intern(fmt::format("app-{}", i)));
  }
  add_pods(2, nullptr);
  for (std::size_t i = 0; i < kMaxOtherPlacements; ++i) {
    model::Placement& one = scene_.add_placement();
    one.anti_affinity.assign(kMaxTermsPerPod, other);
    scene_.add_other_pod(fmt::format("x{}", i), "a1").placement = &one;
  }
  const GroupRanks ranks = rank();
  ASSERT_EQ(ranks.effort.limits.size(), 1U);
  EXPECT_NE(ranks.effort.limits[0].find("terms of other workloads"), std::string::npos);
  EXPECT_LE(ranks.effort.units, 2 * kMaxPodTerms);
}

TEST_F(RankingLimits, ALargeSelectorCountsForSeveralTerms) {
  model::Placement& one = placement(2, 0);
  for (int i = 0; i < 10'000; ++i) {
    one.anti_affinity[0].selector.requirements[0].values.push_back(
        scene_.world.intern(fmt::format("app-{}", i)));
  }
  add_pods(2, &one);
  const GroupRanks ranks = rank();
  EXPECT_EQ(ranks.effort.limits.size(), 1U);
  one.anti_affinity.erase(one.anti_affinity.begin());
  EXPECT_EQ(rank().of_pods, ranks.of_pods);
}

TEST_F(RankingLimits, OnlyTheFirstNamespacesOfATermCount) {
  add_pods(2, &placement(1, kMaxNamespacesPerTerm + 1));
  EXPECT_EQ(namespaces_meant(scene_.group()).size(), kMaxNamespacesPerTerm);
  EXPECT_EQ(rank().effort.limits.size(), 1U);
}

// A group of few pods can be much work: a turn counts the namespaces that its terms name.
TEST_F(RankingLimits, NamespacesOfTermsAreWork) {
  model::Placement& one = scene_.add_placement();
  for (std::size_t i = 0; i < kMaxTermsPerPod; ++i) {
    one.anti_affinity.push_back(scene_.term("zone", "app", "web", 1));
    for (std::size_t j = 0; j < kMaxNamespacesPerTerm; ++j) {
      one.anti_affinity.back().namespaces.push_back(
          scene_.world.intern(fmt::format("team-{}-{}", i, j)));
    }
  }
  add_pods(1, &one);
  EXPECT_GE(rank().effort.units, kMaxTermsPerPod * kMaxNamespacesPerTerm);
}

TEST_F(RankingLimits, AGroupThatIsTooLargeIsNotRankedExactly) {
  constexpr std::size_t kPods = 1'800;
  add_pods(kPods, nullptr);
  Settings settings{.strategies = {weighed("Youngest")}};
  for (int i = 0; i < 15; ++i) settings.strategies.push_back(weighed("Pack"));
  const GroupRanks plain = rank(settings);
  settings.exact = true;
  const GroupRanks ranks = rank(settings);
  ASSERT_EQ(ranks.effort.limits.size(), 1U);
  EXPECT_EQ(ranks.effort.limits[0],
            "ranks are not exact: 1800 pods are too many for an exact order with these strategies");
  EXPECT_EQ(ranks.of_pods, plain.of_pods);
  EXPECT_LT(ranks.effort.units, kMaxExactSteps / 32);
}

}  // namespace
}  // namespace ebb::ranking
