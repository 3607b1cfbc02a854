#include "order/related.h"

#include <gtest/gtest.h>

#include "support/objects/pods.h"

namespace ebb::order {
namespace {

using model::Pod;
using model::ReplicaSet;
using testing::pointers;
using testing::World;

// A Deployment in the middle of a rollout, with an old and a new ReplicaSet.
class Related : public ::testing::Test {
 protected:
  Related() {
    for (const char* name : {"web-old", "web-new"}) {
      sets_.push_back(world_.replica_set(name));
      sets_.back().controller = world_.owner("Deployment", "web", "web-deployment-uid");
    }
  }

  Pod& add_pod(std::string_view name, std::string_view app, std::string_view node) {
    Pod pod = world_.pod(name);
    pod.labels = world_.labels({{"app", app}});
    pod.controller = world_.owner("ReplicaSet", app, std::string(app) + "-uid");
    pod.node = world_.intern(node);
    return pods_.emplace_back(pod);
  }

  [[nodiscard]] std::uint32_t count_on(std::string_view node) {
    const auto all = pointers(pods_);
    const NodeCounts counts = count_related(sets_.front(), pointers(sets_), all, all);
    const auto found = counts.find(world_.intern(node));
    return found == counts.end() ? 0 : found->second;
  }

  World world_;
  std::vector<ReplicaSet> sets_;
  std::vector<Pod> pods_;
};

TEST_F(Related, PodsOfAllReplicaSetsOfTheDeploymentCount) {
  add_pod("a", "web-old", "node-1");
  add_pod("b", "web-new", "node-1");
  add_pod("c", "web-new", "node-2");
  EXPECT_EQ(count_on("node-1"), 2U);
  EXPECT_EQ(count_on("node-2"), 1U);
  EXPECT_EQ(count_on("node-3"), 0U);
}

TEST_F(Related, PodsOfAReplicaSetThatIsBeingDeletedCount) {
  sets_[1].deleting = true;
  add_pod("a", "web-new", "node-1");
  EXPECT_EQ(count_on("node-1"), 1U);
}

TEST_F(Related, PodsCountByLabelsRegardlessOfTheirOwner) {
  add_pod("orphan", "web-new", "node-1").controller = nullptr;
  add_pod("of-a-job", "web-old", "node-1").controller = world_.owner("Job", "other", "job-uid");
  EXPECT_EQ(count_on("node-1"), 2U);
}

TEST_F(Related, OwnedPodsThatNoSelectorMatchesDoNotCount) {
  add_pod("a", "relabelled", "node-1").controller =
      world_.owner("ReplicaSet", "web-old", "web-old-uid");
  EXPECT_EQ(count_on("node-1"), 0U);
}

TEST_F(Related, PodThatTwoSelectorsMatchCountsOnce) {
  sets_[1].selector = sets_[0].selector;
  add_pod("a", "web-old", "node-1");
  EXPECT_EQ(count_on("node-1"), 1U);
}

TEST_F(Related, PodsOfReplicaSetsWithAnotherControllerDoNotCount) {
  sets_[1].controller = world_.owner("Deployment", "web", "an-earlier-web-uid");
  add_pod("a", "web-new", "node-1");
  EXPECT_EQ(count_on("node-1"), 0U);
}

TEST_F(Related, PodsOfStandAloneReplicaSetsDoNotCount) {
  sets_[1].controller = nullptr;
  add_pod("a", "web-new", "node-1");
  EXPECT_EQ(count_on("node-1"), 0U);
}

TEST_F(Related, NeitherPodsNorReplicaSetsOfOtherNamespacesCount) {
  add_pod("a", "web-old", "node-1").namespace_name = world_.intern("staging");
  sets_[1].namespace_name = world_.intern("staging");
  add_pod("b", "web-new", "node-1");
  EXPECT_EQ(count_on("node-1"), 0U);
}

TEST_F(Related, OnlyActivePodsCountWhateverTheirReadiness) {
  add_pod("failed", "web-old", "node-1").phase = model::Phase::kFailed;
  add_pod("succeeded", "web-old", "node-1").phase = model::Phase::kSucceeded;
  add_pod("deleting", "web-old", "node-1").deleting = true;
  EXPECT_EQ(count_on("node-1"), 0U);
  add_pod("pending", "web-old", "node-1").phase = model::Phase::kPending;
  add_pod("unknown", "web-old", "node-1").phase = model::Phase::kUnknown;
  add_pod("not-ready", "web-old", "node-1").ready = false;
  EXPECT_EQ(count_on("node-1"), 3U);
}

TEST_F(Related, UnassignedPodsShareTheEmptyNodeName) {
  add_pod("a", "web-old", "");
  add_pod("b", "web-new", "");
  EXPECT_EQ(count_on(""), 2U);
}

// Upstream finds no related pods for these; its documentation says otherwise.
TEST_F(Related, StandAloneReplicaSetCountsItsOwnActivePodsAndNoOthers) {
  sets_[0].controller = nullptr;
  add_pod("a", "web-old", "node-1");
  add_pod("b", "web-old", "node-1");
  add_pod("deleting", "web-old", "node-1").deleting = true;
  add_pod("of-another", "web-old", "node-1");
  auto own = pointers(pods_);
  own.pop_back();
  const NodeCounts counts = count_related(sets_[0], pointers(sets_), pointers(pods_), own);
  EXPECT_EQ(counts.at(world_.intern("node-1")), 2U);
}

}  // namespace
}  // namespace ebb::order
