#include <gtest/gtest.h>

#include "ranking/shrinking.h"
#include "support/ranking/ranking_scene.h"

namespace ebb::ranking {
namespace {

class AntiAffinity : public ::testing::Test {
 protected:
  AntiAffinity() {
    scene_.add_node("a1", {{"zone", "a"}});
    scene_.add_node("a2", {{"zone", "a"}});
    scene_.add_node("b1", {{"zone", "b"}});
    scene_.add_node("nowhere");
  }

  const model::Placement* keep_apart(const model::AntiAffinityTerm& term) {
    model::Placement& placement = scene_.add_placement();
    placement.anti_affinity.push_back(term);
    return &placement;
  }
  void add_group(std::initializer_list<const char*> nodes, const model::Placement* placement) {
    for (const char* node : nodes) {
      scene_.add_pod("p" + std::to_string(scene_.group().size()), node).placement = placement;
    }
  }

  testing::RankingScene scene_;
};

// Each pair is violated twice: by the term of the one and by the term of the other.
TEST_F(AntiAffinity, CountsPairsThatShareADomain) {
  add_group({"a1", "a2", "a2", "b1"}, keep_apart(scene_.term("zone", "app", "web", 7)));
  EXPECT_EQ(scene_.rank("AntiAffinity"), (Ranks{28, 28, 28, 0}));
}

TEST_F(AntiAffinity, DomainsAreThoseOfTheTermsKey) {
  add_group({"a1", "a2", "a2", "b1"},
            keep_apart(scene_.term("kubernetes.io/hostname", "app", "web", 7)));
  EXPECT_EQ(scene_.rank("AntiAffinity"), (Ranks{0, 14, 14, 0}));
}

TEST_F(AntiAffinity, ARequiredTermIsWorthTenOfTheStrongestPreferredOnes) {
  add_group({"a1", "a2"}, keep_apart(scene_.term("zone", "app", "web")));
  EXPECT_EQ(scene_.rank("AntiAffinity"), (Ranks{2000, 2000}));
}

TEST_F(AntiAffinity, PodsThatWantNothingAndAreNotMeantHaveNoRank) {
  add_group({"a1", "a1"}, nullptr);
  EXPECT_EQ(scene_.rank("AntiAffinity"), (Ranks{0, 0}));
}

TEST_F(AntiAffinity, OwnTermsMeanPodsOfOtherWorkloadsToo) {
  add_group({"a1", "b1"}, keep_apart(scene_.term("zone", "app", "other", 3)));
  scene_.add_other_pod("x", "a2");
  scene_.add_other_pod("y", "a2");
  EXPECT_EQ(scene_.rank("AntiAffinity"), (Ranks{6, 0}));
}

TEST_F(AntiAffinity, TermsOfOtherWorkloadsMeanTheGroup) {
  add_group({"a1", "b1", "b1"}, nullptr);
  const auto* placement = keep_apart(scene_.term("zone", "app", "web", 5));
  scene_.add_other_pod("x", "a2").placement = placement;
  scene_.add_other_pod("y", "a1").placement = placement;
  scene_.add_other_pod("z", "b1").placement = placement;
  EXPECT_EQ(scene_.rank("AntiAffinity"), (Ranks{10, 5, 5}));
}

TEST_F(AntiAffinity, TermsReachOnlyTheNamespacesTheyName) {
  model::AntiAffinityTerm term = scene_.term("zone", "app", "other", 3);
  add_group({"a1"}, keep_apart(term));
  scene_.add_other_pod("home", "a1");
  scene_.add_other_pod("away", "a1", "away");
  scene_.add_other_pod("away-2", "a1", "away");
  EXPECT_EQ(scene_.rank("AntiAffinity"), Ranks{3});
  term.namespaces = {scene_.world.intern("away")};
  model::Placement& placement = scene_.add_placement();
  placement.anti_affinity = {term};
  add_group({"a1"}, &placement);
  EXPECT_EQ(scene_.rank("AntiAffinity"), (Ranks{3, 6}));
}

TEST_F(AntiAffinity, PodsInNoDomainBreakNoTerm) {
  add_group({"", "", "nowhere", "nowhere", "unknown", "unknown"},
            keep_apart(scene_.term("zone", "app", "web")));
  EXPECT_EQ(scene_.rank("AntiAffinity"), (Ranks{0, 0, 0, 0, 0, 0}));
}

TEST_F(AntiAffinity, SeveralTermsAddUp) {
  model::Placement& placement = scene_.add_placement();
  placement.anti_affinity = {scene_.term("zone", "app", "web", 1),
                             scene_.term("kubernetes.io/hostname", "app", "web", 10)};
  add_group({"a1", "a1", "a2"}, &placement);
  EXPECT_EQ(scene_.rank("AntiAffinity"), (Ranks{24, 24, 4}));
}

// The rank is the gain: the total of all violations falls by it.
TEST_F(AntiAffinity, FallsForThoseThatWereInEachOthersWay) {
  add_group({"a1", "a2", "b1", "b1"}, keep_apart(scene_.term("zone", "app", "web", 7)));
  const auto group = scene_.group();
  const auto shrinking = find_strategy("AntiAffinity")->shrink(group, {}, scene_);
  EXPECT_EQ(shrinking->ranks(), (Ranks{14, 14, 14, 14}));
  shrinking->remove(0);
  EXPECT_EQ(shrinking->ranks()[1], 0);
  EXPECT_EQ(shrinking->ranks()[2], 14);
}

}  // namespace
}  // namespace ebb::ranking
