#include <gtest/gtest.h>

#include "support/ranking/ranking_scene.h"

namespace ebb::ranking {
namespace {

using model::TaintEffect;

TEST(NodeLeaving, GradesHowSureItIsThatTheNodeGoes) {
  testing::RankingScene scene;
  const std::tuple<const char*, bool, bool, const char*, int> table[] = {
      // the node, ready, cordoned, its taint, rank
      {"fine", true, false, "", 0},
      {"otherwise-tainted", true, false, "dedicated", 0},
      {"candidate", true, false, "DeletionCandidateOfClusterAutoscaler", 1},
      {"cordoned", true, true, "", 2},
      {"cordoned-by-taint", true, false, "node.kubernetes.io/unschedulable", 2},
      {"cordoned-candidate", true, true, "DeletionCandidateOfClusterAutoscaler", 2},
      {"not-ready", false, false, "", 3},
      {"not-ready-by-taint", true, false, "node.kubernetes.io/not-ready", 3},
      {"unreachable", true, false, "node.kubernetes.io/unreachable", 3},
      {"cordoned-and-not-ready", false, true, "", 3},
      {"doomed", true, false, "ToBeDeletedByClusterAutoscaler", 4},
      {"disrupted", true, false, "karpenter.sh/disrupted", 4},
      {"disrupted-before-v1", true, false, "karpenter.sh/disruption", 4},
      {"out-of-service", false, true, "node.kubernetes.io/out-of-service", 4},
      {"shut-down", true, false, "node.cloudprovider.kubernetes.io/shutdown", 4},
  };
  Ranks expected;
  for (const auto& [name, ready, cordoned, taint, rank] : table) {
    model::Node& node = scene.add_node(name);
    node.ready = ready;
    node.unschedulable = cordoned;
    if (*taint != '\0') scene.add_taint(node, taint, TaintEffect::kNoSchedule);
    scene.add_pod(std::string("on-") + name, name);
    expected.push_back(rank);
  }
  EXPECT_EQ(scene.rank("NodeLeaving"), expected);
}

TEST(NodeLeaving, KnowsNothingAgainstAnUnknownNode) {
  testing::RankingScene scene;
  scene.add_pod("lost", "unknown");
  scene.add_pod("pending", "");
  EXPECT_EQ(scene.rank("NodeLeaving"), (Ranks{0, 0}));
}

}  // namespace
}  // namespace ebb::ranking
