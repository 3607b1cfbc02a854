#include "control/scaledown/scale_down.h"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include "base/deadline_queue.h"
#include "control/replicaset/replica_set_controller.h"
#include "support/control/controller_scene.h"
#include "support/objects/pods.h"

namespace ebb::control {
namespace {

using testing::ControllerScene;
using Names = std::vector<std::string>;

class ScaleDownTest : public ::testing::Test {
 protected:
  // The decision about a surplus of one.
  Decision choose() {
    scene_.see_all();
    scene_.settle();
    EXPECT_EQ(scene_.decisions.size(), 1U);
    return scene_.decisions.at(0);
  }
  void let_time_pass(Nanoseconds ns) { scene_.now.wall = later_by(scene_.now.wall, ns); }

  ControllerScene scene_{make_replica_set_controller};
};

TEST_F(ScaleDownTest, AStandAloneReplicaSetSpreadsItsOwnPods) {
  scene_.create_set("web", 1);
  scene_.create_pod("alone", {.node = "node-1"});
  scene_.create_pod("doubled-1", {.node = "node-2"});
  scene_.create_pod("doubled-2", {.node = "node-2"});
  const Decision decision = choose();
  EXPECT_EQ(decision.victims.at(0).rule, "CoLocation");
  EXPECT_EQ(decision.first_kept, "alone");
}

TEST_F(ScaleDownTest, PodsOfSiblingsCountForCrowding) {
  constexpr std::string_view kOwned =
      R"({"ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment","name":"web",
          "uid":"deployment-uid","controller":true}]})";
  scene_.create_set("web", 1, "{}", kOwned);
  scene_.create_set("old", 2, "{}", kOwned);
  scene_.create_set("stranger", 2);
  scene_.create_pod("crowded", {.node = "node-1"});
  scene_.create_pod("lonely", {.node = "node-2"});
  scene_.create_pod("old-1", {.app = "old", .owner = "old", .node = "node-1"});
  scene_.create_pod("old-2", {.app = "old", .owner = "old", .node = "node-1"});
  for (const char* name : {"s-1", "s-2"}) {
    scene_.create_pod(name, {.app = "stranger", .owner = "stranger", .node = "node-2"});
  }
  const Decision decision = choose();
  EXPECT_EQ(decision.victims.at(0).name, "crowded");
  EXPECT_EQ(decision.victims.at(0).rule, "CoLocation");
  EXPECT_EQ(decision.owner, "Deployment/web");
  EXPECT_EQ(decision.first_kept, "lonely");
}

TEST_F(ScaleDownTest, RanksThatPodsCarryCount) {
  scene_.create_set("web", 1);
  scene_.create_pod("a", {.annotations = R"({"scheduling.alpha.kubernetes.io/cost":"1"})"});
  scene_.create_pod("b", {.annotations = R"({"scheduling.alpha.kubernetes.io/cost":"2"})"});
  const Decision decision = choose();
  EXPECT_EQ(decision.victims.at(0).rule, "CostRank");
  EXPECT_EQ(decision.ranking->carrier, "annotation scheduling.alpha.kubernetes.io/cost");
  EXPECT_TRUE(decision.consulted.empty());
}

TEST_F(ScaleDownTest, WhenAllGoNothingIsComparedAndNoAgeObserved) {
  scene_.create_set("web", 0);
  scene_.create_pod("a");
  let_time_pass(kHour);
  const Decision decision = choose();
  EXPECT_EQ(decision.victims.at(0).rule, "All");
  EXPECT_EQ(decision.first_kept, "");
  EXPECT_TRUE(scene_.age_ratios.empty());
  EXPECT_EQ(describe(decision), "1 of 1 pods goes");
}

TEST_F(ScaleDownTest, ObservesHowOldVictimsAreComparedWithTheYoungest) {
  scene_.create_set("web", 1);
  scene_.create_pod("old",
                    {.annotations = R"({"controller.kubernetes.io/pod-deletion-cost":"-1"})"});
  let_time_pass(5 * kHour);
  scene_.create_pod("unready", {.ready = false});
  scene_.create_pod("young");
  let_time_pass(2 * kHour);
  const Decision decision = choose();
  EXPECT_EQ(decision.victims.size(), 2U);
  EXPECT_EQ(scene_.age_ratios, std::vector<double>{3});  // 7 h of 2 h, in whole numbers
}

TEST_F(ScaleDownTest, AYoungestPodOfAgeZeroDoesNotDivideByZero) {
  scene_.create_set("web", 1);
  scene_.create_pod("a");
  scene_.create_pod("b");
  EXPECT_EQ(choose().victims.size(), 1U);
  EXPECT_TRUE(scene_.age_ratios.empty());
}

TEST(DecisionRecord, IsOneObjectWithEverythingInIt) {
  Decision decision{.id = "u-1",
                    .time = testing::kNow,
                    .namespace_name = "shop",
                    .replica_set = "web",
                    .uid = "u",
                    .owner = "Deployment/web",
                    .from = 3,
                    .to = 2,
                    .candidates = 3,
                    .consulted = {"asked"},
                    .victims = {{.name = "a",
                                 .uid = "ua",
                                 .node = "n",
                                 .rule = "ReadyAge",
                                 .because = "younger",
                                 .outcome = "deleted"}},
                    .first_kept = "b",
                    .gates = {}};
  decision.gates.set(model::Gate::kPodCostRanking, false);
  EXPECT_EQ(
      boost::json::serialize(decision.to_json()),
      R"({"id":"u-1","time":"2026-11-01T12:00:00Z","replicaSet":{"namespace":"shop","name":"web",)"
      R"("uid":"u","owner":"Deployment/web"},"replicas":{"from":3,"to":2},"candidates":3,)"
      R"("consulted":["asked"],"victims":[{"position":1,"name":"a","uid":"ua","node":"n",)"
      R"("decidedBy":"ReadyAge","because":"younger","outcome":"deleted"}],"firstKept":"b",)"
      R"("gates":{"DeploymentReplicaSetTerminatingReplicas":true,"DownscalePodPicker":true,)"
      R"("LogarithmicScaleDown":true,"PodCostRanking":false,"PodDeletionCost":true,)"
      R"("PreferForScaleDown":true}})");
  EXPECT_EQ(decision.summary(), "1 pod of shop/web goes: a (ready age)");
  decision.victims.resize(7, decision.victims[0]);
  EXPECT_EQ(decision.summary(),
            "7 pods of shop/web go: a (ready age), a (ready age), a (ready age), a (ready age), "
            "a (ready age) and 2 more");
  decision.victims.resize(2);
  for (Decision::Victim& victim : decision.victims) {
    victim.spared = true;
    victim.outcome = "refused: not today";
  }
  EXPECT_EQ(decision.summary(),
            "0 pods of shop/web go; 2 could not be deleted (refused: not today)");
}

}  // namespace
}  // namespace ebb::control
