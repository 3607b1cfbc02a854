#include <gtest/gtest.h>

#include "support/ranking/ranking_scene.h"

namespace ebb::ranking {
namespace {

TEST(Pack, PodsOnTheLeastFilledNodesHaveTheHighestRanks) {
  testing::RankingScene scene;
  scene.add_pod("p", "busy");
  scene.add_pod("q", "quiet");
  scene.add_pod("r", "busy");
  scene.add_other_pod("x", "busy");
  EXPECT_EQ(scene.rank("Pack"), (Ranks{997, 999, 997}));
}

TEST(Pack, APodOnNoNodeFillsNone) {
  testing::RankingScene scene;
  scene.add_pod("p", "");
  scene.add_pod("q", "node");
  EXPECT_EQ(scene.rank("Pack"), (Ranks{0, 999}));
}

TEST(Pack, FromAThousandPodsOnNodesAreFull) {
  testing::RankingScene scene;
  scene.add_pod("p", "full");
  for (int i = 0; i < 998; ++i) scene.add_other_pod("x" + std::to_string(i), "full");
  EXPECT_EQ(scene.rank("Pack"), Ranks{1});
  scene.add_other_pod("y", "full");
  EXPECT_EQ(scene.rank("Pack"), Ranks{0});
  scene.add_other_pod("z", "full");
  EXPECT_EQ(scene.rank("Pack"), Ranks{0});
}

}  // namespace
}  // namespace ebb::ranking
