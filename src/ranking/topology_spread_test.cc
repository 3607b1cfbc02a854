#include <gtest/gtest.h>

#include "support/ranking/ranking_scene.h"

namespace ebb::ranking {
namespace {

using testing::ago;

constexpr std::string_view kByZone = R"({"topologyKey": "topology.kubernetes.io/zone"})";

class TopologySpread : public ::testing::Test {
 protected:
  TopologySpread() {
    scene_.add_node("a1", {{"topology.kubernetes.io/zone", "a"}, {"rack", "1"}});
    scene_.add_node("a2", {{"topology.kubernetes.io/zone", "a"}, {"rack", "2"}});
    scene_.add_node("b1", {{"topology.kubernetes.io/zone", "b"}, {"rack", "1"}});
    scene_.add_node("nowhere");
  }

  testing::RankingScene scene_;
};

TEST_F(TopologySpread, TheNthOldestOfADomainHasRankN) {
  for (const char* node : {"a1", "b1", "a2", "a1", "b1"}) {
    scene_.add_pod("on-" + std::string(node) + std::to_string(scene_.group().size()), node);
  }
  EXPECT_EQ(scene_.rank("TopologySpread", kByZone), (Ranks{1, 1, 2, 3, 2}));
}

TEST_F(TopologySpread, GoesByAnyLabelOfNodes) {
  for (const char* name : {"p", "q", "r"}) scene_.add_pod(name, name[0] == 'q' ? "a2" : "b1");
  EXPECT_EQ(scene_.rank("TopologySpread", R"({"topologyKey": "rack"})"), (Ranks{1, 1, 2}));
  EXPECT_EQ(scene_.rank("TopologySpread", R"({"topologyKey": "kubernetes.io/hostname"})"),
            (Ranks{1, 1, 2}));
  EXPECT_EQ(scene_.rank("TopologySpread", R"({"topologyKey": "unheard-of"})"), (Ranks{1, 2, 3}));
}

TEST_F(TopologySpread, BreaksTiesOfAgeByName) {
  for (const char* name : {"c", "a", "b"}) scene_.add_pod(name, "a1").created = ago(kHour);
  EXPECT_EQ(scene_.rank("TopologySpread", kByZone), (Ranks{3, 1, 2}));
}

TEST_F(TopologySpread, APodWithoutCreationTimeCountsAsTheYoungest) {
  scene_.add_pod("timeless", "a1").created = {};
  scene_.add_pod("old", "a1");
  EXPECT_EQ(scene_.rank("TopologySpread", kByZone), (Ranks{2, 1}));
}

// They count towards no other domain, but can go like all others.
TEST_F(TopologySpread, PodsOutsideEveryDomainFormOneOfTheirOwn) {
  for (const char* node : {"a1", "", "nowhere", "unknown", "a1"}) {
    scene_.add_pod("p" + std::to_string(scene_.group().size()), node);
  }
  EXPECT_EQ(scene_.rank("TopologySpread", kByZone), (Ranks{1, 1, 2, 3, 2}));
}

// An empty value is a value: nodes that have it form one domain.
TEST_F(TopologySpread, AnEmptyLabelIsADomainLikeOthers) {
  scene_.add_node("empty", {{"topology.kubernetes.io/zone", ""}});
  scene_.add_pod("p", "nowhere");
  scene_.add_pod("q", "empty");
  scene_.add_pod("r", "empty");
  EXPECT_EQ(scene_.rank("TopologySpread", kByZone), (Ranks{1, 1, 2}));
}

TEST_F(TopologySpread, GivesNoRanksWithoutPods) {
  EXPECT_TRUE(scene_.rank("TopologySpread", kByZone).empty());
}

}  // namespace
}  // namespace ebb::ranking
