#include <gtest/gtest.h>

#include "support/ranking/ranking_scene.h"

namespace ebb::ranking {
namespace {

using model::TaintEffect;

class UntoleratedTaints : public ::testing::Test {
 protected:
  UntoleratedTaints() {
    scene_.add_node("plain");
    model::Node& node = scene_.add_node("tainted");
    scene_.add_taint(node, "gpu", TaintEffect::kNoSchedule, "yes");
    scene_.add_taint(node, "spot", TaintEffect::kPreferNoSchedule);
    scene_.add_taint(node, "old", TaintEffect::kPreferNoSchedule);
    scene_.add_taint(node, "sick", TaintEffect::kNoExecute);
    scene_.add_taint(node, "strange", TaintEffect::kOther);
  }

  void tolerate(model::Pod& pod, std::string_view key) {
    model::Placement& placement = scene_.add_placement();
    placement.tolerations.push_back({.key = scene_.world.intern(key), .value = {}, .exists = true});
    pod.placement = &placement;
  }

  testing::RankingScene scene_;
};

TEST_F(UntoleratedTaints, AreCountedByKind) {
  scene_.add_pod("none", "tainted");
  tolerate(scene_.add_pod("gpu", "tainted"), "gpu");
  tolerate(scene_.add_pod("spot", "tainted"), "spot");
  tolerate(scene_.add_pod("all", "tainted"), "");
  scene_.add_pod("plain", "plain");
  const std::pair<std::string_view, Ranks> kinds[] = {
      {R"({"count": "all"})", {4, 3, 3, 0, 0}},
      {R"({"count": "hard"})", {2, 1, 2, 0, 0}},
      {R"({"count": "preferred"})", {2, 2, 1, 0, 0}},
  };
  for (const auto& [args, ranks] : kinds) {
    EXPECT_EQ(scene_.rank("UntoleratedTaints", args), ranks) << args;
  }
}

TEST_F(UntoleratedTaints, AreZeroForPodsWithoutAKnownNode) {
  scene_.add_pod("lost", "unknown");
  scene_.add_pod("pending", "");
  EXPECT_EQ(scene_.rank("UntoleratedTaints", R"({"count": "all"})"), (Ranks{0, 0}));
}

}  // namespace
}  // namespace ebb::ranking
