#include "ranking/blind.h"

#include <gtest/gtest.h>

#include "support/ranking/ranking_scene.h"

namespace ebb::ranking {
namespace {

using Sentences = std::vector<std::string>;

class BlindStrategies : public ::testing::Test {
 protected:
  Sentences find(std::string_view label) {
    Settings settings;
    for (const char* name : {"TopologySpread", "NodeCost", "Oldest"}) {
      Weighed weighed{.strategy = find_strategy(name)};
      weighed.args[name == std::string_view("NodeCost") ? "label" : "topologyKey"] = label;
      settings.strategies.push_back(weighed);
    }
    return find_blind_strategies(settings, scene_.group(), scene_);
  }

  testing::RankingScene scene_;
};

TEST_F(BlindStrategies, AreThoseWhoseLabelNoNodeHas) {
  scene_.add_node("one", {{"zone", "a"}});
  scene_.add_node("two");
  scene_.add_pod("x", "one");
  scene_.add_pod("y", "two");
  EXPECT_EQ(find("zone"), Sentences{});
  EXPECT_EQ(
      find("rack"),
      (Sentences{"strategy TopologySpread ranks all pods equally: none of their nodes has the "
                 "label rack",
                 "strategy NodeCost ranks all pods equally: none of their nodes has the label "
                 "rack"}));
}

TEST_F(BlindStrategies, AreNoneWhereNoNodeIsKnown) {
  scene_.add_pod("x", "unknown");
  scene_.add_pod("y", "");
  EXPECT_EQ(find("rack"), Sentences{});
}

}  // namespace
}  // namespace ebb::ranking
