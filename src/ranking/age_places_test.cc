#include "ranking/age_places.h"

#include <gtest/gtest.h>

#include "support/ranking/ranking_scene.h"

namespace ebb::ranking {
namespace {

using testing::ago;

class AgePlacesTest : public ::testing::Test {
 protected:
  void add(const char* name, Timestamp created) { scene_.add_pod(name, "n").created = created; }

  testing::RankingScene scene_;
};

TEST_F(AgePlacesTest, TheYoungestHasTheHighestRankByYoungest) {
  add("b", ago(2 * kHour));
  add("a", ago(3 * kHour));
  add("c", ago(1 * kHour));
  EXPECT_EQ(scene_.rank("Youngest"), (Ranks{2, 1, 3}));
}

TEST_F(AgePlacesTest, TheOldestHasTheHighestRankByOldest) {
  add("b", ago(2 * kHour));
  add("a", ago(3 * kHour));
  add("c", ago(1 * kHour));
  EXPECT_EQ(scene_.rank("Oldest"), (Ranks{2, 3, 1}));
}

TEST_F(AgePlacesTest, PodsOfOneMomentShareAPlace) {
  add("c", ago(1 * kHour));
  add("b", ago(2 * kHour));
  add("a", ago(2 * kHour));
  add("d", ago(3 * kHour));
  EXPECT_EQ(scene_.rank("Youngest"), (Ranks{3, 2, 2, 1}));
  EXPECT_EQ(scene_.rank("Oldest"), (Ranks{1, 2, 2, 3}));
}

TEST_F(AgePlacesTest, APodWithoutCreationTimeIsTheYoungest) {
  add("a", ago(1 * kHour));
  add("b", {});
  EXPECT_EQ(scene_.rank("Youngest"), (Ranks{1, 2}));
  EXPECT_EQ(scene_.rank("Oldest"), (Ranks{2, 1}));
}

// A newcomer is the youngest, and does not touch the ranks of others.
TEST_F(AgePlacesTest, RanksByYoungestStayWhenAPodIsAdded) {
  add("a", ago(3 * kHour));
  add("b", ago(2 * kHour));
  EXPECT_EQ(scene_.rank("Youngest"), (Ranks{1, 2}));
  add("c", ago(1 * kHour));
  EXPECT_EQ(scene_.rank("Youngest"), (Ranks{1, 2, 3}));
}

TEST_F(AgePlacesTest, APlaceGoesWithTheLastPodThatHasIt) {
  add("a", ago(3 * kHour));
  add("b", ago(2 * kHour));
  add("c", ago(2 * kHour));
  add("d", ago(1 * kHour));
  const auto group = scene_.group();
  AgePlaces places(group, FirstToGo::kYoungest);
  places.remove(1);
  EXPECT_EQ(places.ranks()[3], 3);
  places.remove(2);
  EXPECT_EQ(places.ranks()[3], 2);
  EXPECT_EQ(places.ranks()[0], 1);
}

}  // namespace
}  // namespace ebb::ranking
