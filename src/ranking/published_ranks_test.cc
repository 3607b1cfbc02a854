#include "ranking/published_ranks.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ranking/publication.h"
#include "support/objects/pods.h"

namespace ebb::ranking {
namespace {

using model::Pod;
using model::PodGroupCost;
using testing::pointers;
using testing::World;

using Ranks = std::vector<std::int32_t>;
using Texts = std::vector<std::string>;

class PublishedRanksTest : public ::testing::Test {
 protected:
  PublishedRanksTest() {
    set_.controller = world_.owner("Deployment", "web-deployment", "web-deployment-uid");
    for (const char* name : {"a", "b", "c"}) pods_.push_back(world_.pod(name));
  }

  PodGroupCost& add_group(std::string_view name, std::string_view kind, std::string_view owner,
                          const std::vector<std::pair<std::string_view, std::int32_t>>& costs) {
    PodGroupCost group;
    group.name = world_.intern(name);
    group.namespace_name = world_.intern("default");
    group.owner_kind = world_.intern(kind);
    group.owner_name = world_.intern(owner);
    for (const auto& [pod, cost] : costs) group.costs.push_back({world_.intern(pod), cost});
    return groups_.emplace_back(group);
  }
  PodGroupCost& add_own_group(std::int32_t a) {
    return add_group("costs", "ReplicaSet", "web", {{"a", a}, {"b", 2}, {"c", 3}});
  }

  void annotate(std::optional<std::int32_t> a, std::optional<std::int32_t> b,
                std::optional<std::int32_t> c) {
    pods_[0].annotated_rank = a;
    pods_[1].annotated_rank = b;
    pods_[2].annotated_rank = c;
  }
  void set_status(std::optional<std::int32_t> a, std::optional<std::int32_t> b,
                  std::optional<std::int32_t> c) {
    pods_[0].status_rank = a;
    pods_[1].status_rank = b;
    pods_[2].status_rank = c;
  }

  PublishedRanks find(bool must_recompute = false) const {
    std::vector<const PodGroupCost*> groups;
    for (const PodGroupCost& group : groups_) groups.push_back(&group);
    return find_published_ranks({set_, pointers(pods_), groups, must_recompute});
  }

  World world_;
  model::ReplicaSet set_ = world_.replica_set("web");
  std::vector<Pod> pods_;
  std::vector<PodGroupCost> groups_;
};

TEST_F(PublishedRanksTest, WithoutRanksThereIsNothingToReport) {
  const PublishedRanks ranks = find();
  EXPECT_TRUE(ranks.of_pods.empty());
  EXPECT_TRUE(ranks.carrier.empty());
  EXPECT_TRUE(ranks.incomplete.empty());
}

TEST_F(PublishedRanksTest, ComeFromTheAnnotation) {
  annotate(3, -1, INT32_MAX);
  const PublishedRanks ranks = find();
  EXPECT_EQ(ranks.of_pods, (Ranks{3, -1, INT32_MAX}));
  EXPECT_EQ(ranks.carrier, "annotation scheduling.alpha.kubernetes.io/cost");
}

TEST_F(PublishedRanksTest, ComeFromThePodStatus) {
  set_status(3, 2, 1);
  const PublishedRanks ranks = find();
  EXPECT_EQ(ranks.of_pods, (Ranks{3, 2, 1}));
  EXPECT_EQ(ranks.carrier, "status.cost");
}

TEST_F(PublishedRanksTest, ComeFromThePodGroupCostOfTheReplicaSet) {
  add_own_group(1);
  const PublishedRanks ranks = find();
  EXPECT_EQ(ranks.of_pods, (Ranks{1, 2, 3}));
  EXPECT_EQ(ranks.carrier, "PodGroupCost costs");
}

TEST_F(PublishedRanksTest, ComeFromThePodGroupCostOfTheDeployment) {
  add_group("costs", "Deployment", "web-deployment", {{"a", 1}, {"b", 2}, {"c", 3}});
  EXPECT_EQ(find().of_pods, (Ranks{1, 2, 3}));
}

TEST_F(PublishedRanksTest, ComeFromTheFirstCompleteCarrierInOrder) {
  annotate(10, 10, 10);
  EXPECT_EQ(find().of_pods, (Ranks{10, 10, 10}));
  set_status(20, 20, 20);
  EXPECT_EQ(find().of_pods, (Ranks{20, 20, 20}));
  add_group("a", "Deployment", "web-deployment", {{"a", 30}, {"b", 30}, {"c", 30}});
  EXPECT_EQ(find().of_pods, (Ranks{30, 30, 30}));
  add_group("c", "ReplicaSet", "web", {{"a", 40}, {"b", 40}, {"c", 40}});
  EXPECT_EQ(find().of_pods, (Ranks{40, 40, 40}));
  add_group("b", "ReplicaSet", "web", {{"a", 50}, {"b", 50}, {"c", 50}});
  EXPECT_EQ(find().of_pods, (Ranks{50, 50, 50}));
}

TEST_F(PublishedRanksTest, AreNeverMixedFromSeveralCarriers) {
  add_group("costs", "ReplicaSet", "web", {{"a", 1}});
  set_status({}, 2, {});
  annotate({}, {}, 3);
  const PublishedRanks ranks = find();
  EXPECT_TRUE(ranks.of_pods.empty());
  EXPECT_TRUE(ranks.carrier.empty());
  EXPECT_EQ(ranks.incomplete,
            (Texts{"PodGroupCost costs does not rank 2 of the Ready pods, so it is not used",
                   "status.cost does not rank 2 of the Ready pods, so it is not used",
                   "annotation scheduling.alpha.kubernetes.io/cost does not rank 2 of the Ready "
                   "pods, so it is not used"}));
}

// An incomplete carrier is skipped and reported.
TEST_F(PublishedRanksTest, ComeFromALaterCarrierIfAnEarlierOneIsIncomplete) {
  set_status(1, 2, {});
  annotate(7, 8, 9);
  const PublishedRanks ranks = find();
  EXPECT_EQ(ranks.of_pods, (Ranks{7, 8, 9}));
  EXPECT_EQ(ranks.incomplete,
            Texts{"status.cost does not rank 1 of the Ready pods, so it is not used"});
}

// A value that is not a 32-bit integer is not a rank.
TEST_F(PublishedRanksTest, AreNotUsedIfAReadyPodHasNone) {
  annotate(1, {}, 3);
  EXPECT_TRUE(find().of_pods.empty());
}

TEST_F(PublishedRanksTest, AreNotNeededForPodsThatGoAnyway) {
  annotate(1, {}, 3);
  const std::pair<const char*, void (*)(Pod&)> ways[] = {
      {"unassigned", [](Pod& pod) { pod.node = {}; }},
      {"pending", [](Pod& pod) { pod.phase = model::Phase::kPending; }},
      {"unknown", [](Pod& pod) { pod.phase = model::Phase::kUnknown; }},
      {"not ready", [](Pod& pod) { pod.ready = false; }},
  };
  const Pod b = pods_[1];
  for (const auto& [name, change] : ways) {
    pods_[1] = b;
    change(pods_[1]);
    EXPECT_EQ(find().of_pods, (Ranks{1, 0, 3})) << name;
  }
}

TEST_F(PublishedRanksTest, NamesOfPodsThatAreGoneAreIgnored) {
  add_group("costs", "ReplicaSet", "web", {{"a", 1}, {"b", 2}, {"c", 3}, {"gone", 9}});
  EXPECT_EQ(find().of_pods, (Ranks{1, 2, 3}));
}

TEST_F(PublishedRanksTest, GroupThatKnowsNoneOfThePodsIsNotWorthMentioning) {
  add_group("costs", "ReplicaSet", "web", {{"gone", 9}});
  EXPECT_TRUE(find().incomplete.empty());
}

TEST_F(PublishedRanksTest, GroupsOfOthersDoNotCount) {
  add_group("x1", "ReplicaSet", "another", {{"a", 1}, {"b", 1}, {"c", 1}});
  add_group("x2", "Deployment", "web", {{"a", 1}, {"b", 1}, {"c", 1}});
  add_group("x3", "ReplicationController", "web", {{"a", 1}, {"b", 1}, {"c", 1}});
  add_own_group(1).namespace_name = world_.intern("elsewhere");
  add_own_group(1).owner_uid = world_.intern("an-earlier-web-uid");
  EXPECT_TRUE(find().of_pods.empty());
  add_own_group(1).owner_uid = set_.uid;
  EXPECT_EQ(find().of_pods, (Ranks{1, 2, 3}));
}

TEST_F(PublishedRanksTest, StandAloneReplicaSetHasNoDeploymentsGroup) {
  set_.controller = nullptr;
  add_group("costs", "Deployment", "web-deployment", {{"a", 1}, {"b", 2}, {"c", 3}});
  EXPECT_TRUE(find().of_pods.empty());
}

// Otherwise no ranks would count between a change of order and the status that follows it.
TEST_F(PublishedRanksTest, ThatAreNotRecomputedNeedNoStatusOfTheirGeneration) {
  PodGroupCost& group = add_own_group(1);
  group.generation = 3;
  for (const std::int64_t observed : {0, 2, 3}) {
    group.observed_generation = observed;
    EXPECT_EQ(find().of_pods, (Ranks{1, 2, 3})) << observed;
    EXPECT_FALSE(find().stale);
    // The status may be of earlier ranks, before the policy asked for others.
    EXPECT_TRUE(find(true).of_pods.empty()) << observed;
    EXPECT_TRUE(find(true).stale);
  }
}

TEST_F(PublishedRanksTest, WithAStatusOfAnotherGenerationDoNotCount) {
  PodGroupCost& group = add_own_group(1);
  group.recompute = true;
  group.pod_set_hash = world_.intern(pod_set_hash(pointers(pods_)));
  group.generation = 3;
  EXPECT_EQ(find().of_pods.size(), 3U);  // no observedGeneration: nothing to compare
  group.observed_generation = 2;
  EXPECT_TRUE(find().of_pods.empty());
  EXPECT_TRUE(find().stale);
  EXPECT_EQ(find().incomplete, Texts{"PodGroupCost costs has a status of generation 2, but its "
                                     "generation is 3, so it is not used"});
  group.observed_generation = 3;
  EXPECT_EQ(find().of_pods, (Ranks{1, 2, 3}));
  EXPECT_FALSE(find().stale);
}

TEST_F(PublishedRanksTest, ThatAreRecomputedCountForTheVeryPodsOnly) {
  PodGroupCost& group = add_own_group(1);
  group.recompute = true;
  EXPECT_TRUE(find().of_pods.empty());
  EXPECT_TRUE(find().recompute);
  group.pod_set_hash = world_.intern(pod_set_hash(pointers(pods_)));
  EXPECT_EQ(find().of_pods, (Ranks{1, 2, 3}));
  EXPECT_TRUE(find().recompute);
  pods_.pop_back();
  EXPECT_TRUE(find().of_pods.empty());
  EXPECT_EQ(find().incomplete, Texts{"PodGroupCost costs was computed for other pods than there "
                                     "are now, so it is not used"});
}

TEST_F(PublishedRanksTest, OfOthersDoNotCountWhereTheyHaveToBeRecomputed) {
  annotate(1, 2, 3);
  PodGroupCost& group = add_own_group(1);
  EXPECT_TRUE(find(true).of_pods.empty());
  EXPECT_TRUE(find(true).stale);
  group.recompute = true;
  group.pod_set_hash = world_.intern(pod_set_hash(pointers(pods_)));
  EXPECT_EQ(find(true).carrier, "PodGroupCost costs");
}

// The ranker is about to compute it again.
TEST_F(PublishedRanksTest, RecomputedGroupThatKnowsNoneOfThePodsIsStale) {
  add_group("costs", "ReplicaSet", "web", {{"gone", 9}}).recompute = true;
  EXPECT_TRUE(find().stale);
}

TEST_F(PublishedRanksTest, OnlyTheFirstFewGroupsAreRead) {
  const auto name = [](std::size_t i) { return fmt::format("costs-{:03}", i); };
  for (std::size_t i = 1; i < kMaxGroupCosts; ++i) {
    add_group(name(i), "Deployment", "web-deployment", {{"a", 1}});
  }
  add_group(name(900), "Deployment", "web-deployment", {{"a", 1}, {"b", 2}, {"c", 3}});
  EXPECT_EQ(find().carrier, "PodGroupCost costs-900");
  add_group(name(kMaxGroupCosts), "Deployment", "web-deployment", {{"a", 1}});
  const PublishedRanks ranks = find();
  EXPECT_TRUE(ranks.carrier.empty());
  ASSERT_EQ(ranks.incomplete.size(), kMaxGroupCosts + 1);
  EXPECT_EQ(ranks.incomplete.back(), "of 17 PodGroupCosts only the first 16 are read");
  add_own_group(1);
  EXPECT_EQ(find().carrier, "PodGroupCost costs") << "the ReplicaSet's own come first";
}

// The two have opposite signs, so one must never be used as the other.
TEST_F(PublishedRanksTest, DeletionCostIsNotUsedAsARank) {
  for (Pod& pod : pods_) {
    pod.deletion_cost = 5;
    pod.deletion_cost_set = pod.deletion_cost_valid = true;
  }
  EXPECT_TRUE(find().of_pods.empty());
  annotate(1, 2, 3);
  EXPECT_EQ(find().of_pods, (Ranks{1, 2, 3}));
}

}  // namespace
}  // namespace ebb::ranking
