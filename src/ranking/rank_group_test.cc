#include "ranking/rank_group.h"

#include <numeric>

#include <gtest/gtest.h>

#include "schema/core/ranking_rules.h"
#include "support/ranking/ranking_scene.h"

namespace ebb::ranking {
namespace {

using testing::RankingScene;
using testing::weighed;

constexpr std::string_view kA = R"({"annotation": "a"})";
constexpr std::string_view kB = R"({"annotation": "b"})";

class RankGroup : public ::testing::Test {
 protected:
  // A pod whose annotations `a` and `b` are these numbers.
  void add(std::int32_t a, std::int32_t b) {
    const std::string a_text = std::to_string(a);
    const std::string b_text = std::to_string(b);
    scene_.add_pod("p" + std::to_string(scene_.group().size()), "n").numbers =
        scene_.world.labels({{"a", a_text}, {"b", b_text}});
  }
  [[nodiscard]] GroupRanks rank(std::vector<Weighed> strategies) const {
    return rank_group({.strategies = std::move(strategies)}, scene_.group(), scene_);
  }

  RankingScene scene_;
};

TEST_F(RankGroup, AddsWhatStrategiesSayTimesTheirWeights) {
  add(1, 10);
  add(2, 0);
  add(-3, 1);
  const GroupRanks ranks = rank({weighed("Weight", kA, 5), weighed("Weight", kB, 2)});
  EXPECT_EQ(ranks.of_pods, (Ranks{25, 10, -13}));
  EXPECT_EQ(ranks.by_strategy, (std::vector<Ranks>{{1, 2, -3}, {10, 0, 1}}));
}

// The proposal: where the threshold is 10, the 11th pod of a domain has the rank of the 10th.
TEST_F(RankGroup, CutsRanksOffAtTheThresholdBeforeTheyAreWeighed) {
  for (int i = 0; i < 12; ++i) add(0, 0);
  const Weighed spread = weighed("TopologySpread", R"({"topologyKey": "zone"})", 3, 10);
  const GroupRanks ranks = rank({spread});
  EXPECT_EQ(ranks.of_pods, (Ranks{3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 30, 30}));
  EXPECT_EQ(ranks.by_strategy.front().back(), 12);
}

TEST_F(RankGroup, AThresholdMayBeBelowEveryRank) {
  add(1, 0);
  add(2, 0);
  EXPECT_EQ(rank({weighed("Weight", kA, 2, -4)}).of_pods, (Ranks{-8, -8}));
}

TEST_F(RankGroup, ReplacesSumsThatOverflowByPlaces) {
  add(INT32_MAX, 0);
  add(5, 0);
  add(INT32_MAX, 1);
  add(5, 0);
  add(-INT32_MAX, 0);
  EXPECT_EQ(rank({weighed("Weight", kA, 2), weighed("Weight", kB)}).of_pods,
            (Ranks{3, 2, 4, 2, 1}));
}

// The smallest integer has no positive counterpart.
TEST_F(RankGroup, TheSmallestIntegerIsNotARank) {
  add(-INT32_MAX, -1);
  add(-INT32_MAX, 0);
  EXPECT_EQ(rank({weighed("Weight", kA), weighed("Weight", kB)}).of_pods, (Ranks{1, 2}));
  EXPECT_EQ(rank({weighed("Weight", kA)}).of_pods, (Ranks{-INT32_MAX, -INT32_MAX}));
}

TEST_F(RankGroup, HoldsTheLargestSumsThatAPolicyCanAskFor) {
  add(INT32_MAX, 0);
  add(INT32_MAX - 1, 0);
  add(-INT32_MAX, 0);
  const std::vector<Weighed> most(schema::kMaxStrategies,
                                  weighed("Weight", kA, schema::kMaxStrategyWeight));
  EXPECT_EQ(rank(most).of_pods, (Ranks{3, 2, 1}));
}

TEST_F(RankGroup, GivesNoRanksWithoutPods) {
  const GroupRanks ranks = rank({weighed("Youngest"), weighed("AntiAffinity")});
  EXPECT_TRUE(ranks.of_pods.empty());
  EXPECT_EQ(ranks.by_strategy.size(), 2U);
}

class ExactRanks : public RankGroup {
 protected:
  [[nodiscard]] Ranks rank_exactly(std::vector<Weighed> strategies) const {
    return rank_group({.strategies = std::move(strategies), .exact = true}, scene_.group(), scene_)
        .of_pods;
  }
};

// By the initial ranks, one pod of each node would go, and neither node would become empty.
TEST_F(ExactRanks, EmptyOneNodeBeforeTheNext) {
  for (const char* node : {"x", "y", "x", "y"}) {
    scene_.add_pod("p" + std::to_string(scene_.group().size()), node);
  }
  EXPECT_EQ(rank({weighed("Pack")}).of_pods, (Ranks{998, 998, 998, 998}));
  EXPECT_EQ(rank_exactly({weighed("Pack")}), (Ranks{1, 3, 2, 4}));
}

// Two pairs of pods that violate anti-affinity in their zones. Once one pod of a pair has gone, the
// other has no violation left, so a pod of the other pair goes next.
TEST_F(ExactRanks, SeeThatARemovalTakesViolationsOffOthers) {
  scene_.add_node("x", {{"zone", "x"}});
  scene_.add_node("y", {{"zone", "y"}});
  model::Placement& apart = scene_.add_placement();
  apart.anti_affinity = {scene_.term("zone", "app", "web", 1)};
  for (const char* node : {"x", "x", "y", "y"}) {
    scene_.add_pod("p" + std::to_string(scene_.group().size()), node).placement = &apart;
  }
  EXPECT_EQ(rank({weighed("AntiAffinity")}).of_pods, (Ranks{2, 2, 2, 2}));
  EXPECT_EQ(rank_exactly({weighed("AntiAffinity")}), (Ranks{1, 3, 2, 4}));
}

TEST_F(ExactRanks, AreThePlacesInWhichPodsGo) {
  add(5, 0);
  add(-1, 0);
  add(7, 0);
  EXPECT_EQ(rank_exactly({weighed("Weight", kA)}), (Ranks{2, 1, 3}));
}

TEST_F(ExactRanks, OfEqualPodsTheYoungerGoesAndThenTheSmallerUid) {
  for (const char* uid : {"c", "b", "a"}) scene_.add_pod(uid, "n").created = testing::kNow;
  scene_.add_pod("d", "n").created = testing::ago(-1);
  scene_.add_pod("e", "n").created = {};
  EXPECT_EQ(rank_exactly({weighed("Weight", kA)}), (Ranks{1, 2, 3, 4, 5}));
}

// A controller removes those first, whatever their ranks. The ranks of the rest must allow for it.
TEST_F(ExactRanks, PodsThatDoNotServeGoFirst) {
  scene_.add_node("x", {{"zone", "x"}});
  scene_.add_node("y", {{"zone", "y"}});
  scene_.add_pod("old-x", "x");
  scene_.add_pod("broken-x", "x").ready = false;
  scene_.add_pod("old-y", "y");
  scene_.add_pod("pending", "").phase = model::Phase::kPending;
  scene_.add_pod("young-y", "y");
  EXPECT_EQ(rank_exactly({weighed("TopologySpread", R"({"topologyKey": "zone"})")}),
            (Ranks{1, 4, 2, 5, 3}));
}

}  // namespace
}  // namespace ebb::ranking
