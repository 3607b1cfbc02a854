// The worked examples and stories of the cost proposal: from nodes and pods to ranks, and from
// ranks to victims.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "order/select.h"
#include "ranking/rank_group.h"
#include "support/ranking/ranking_scene.h"

namespace ebb {
namespace {

using model::Pod;
using ranking::Ranks;
using testing::RankingScene;
using testing::weighed;

using Names = std::vector<std::string>;
using Pods = std::vector<const Pod*>;

// The pods in the order in which they go.
Pods removal_order(const Pods& pods, const Ranks& ranks) {
  order::NodeCounts counts;
  for (const Pod* pod : pods) ++counts[pod->node];
  order::Lineup lineup = order::line_up({.candidates = pods,
                                         .co_located = counts,
                                         .now = testing::kNow,
                                         .gates = {},
                                         .prefer_label_in_template = false,
                                         .cost_ranks = ranks,
                                         .verdicts = {}});
  lineup.order_first(lineup.size());
  Pods order;
  for (std::size_t i = 0; i < lineup.size(); ++i) order.push_back(lineup[i].pod);
  return order;
}

Names names_of(const Pods& pods) {
  Names names;
  for (const Pod* pod : pods) names.emplace_back(pod->name.view());
  return names;
}

constexpr std::string_view kByZone = R"({"topologyKey": "topology.kubernetes.io/zone"})";

// "Pod group of 12 pods, 3 AZs (2 nodes per each AZ), pods are evenly spread among all zones".
class WorkflowExample : public ::testing::Test {
 protected:
  WorkflowExample() {
    for (const char* zone : {"AZ1", "AZ2", "AZ3"}) {
      for (const char* node : {"a", "b"}) {
        scene_.add_node(fmt::format("{}{}", zone, node), {{"topology.kubernetes.io/zone", zone}});
      }
    }
    for (int i = 1; i <= 12; ++i) {
      scene_.add_pod(fmt::format("P{}", i),
                     fmt::format("AZ{}{}", zone_of(i), i % 2 == 0 ? "a" : "b"));
    }
    left_ = scene_.group();
    ranks_ = rank();
  }

  static int zone_of(int number) { return (number - 1) / 4 + 1; }
  static int zone_of(const Pod& pod) {
    return zone_of(std::stoi(std::string(pod.name.view().substr(1))));
  }

  [[nodiscard]] Ranks rank() const {
    return ranking::rank_group({.strategies = {weighed("TopologySpread", kByZone)}}, left_, scene_)
        .of_pods;
  }

  // By the ranks that were published in the beginning.
  std::string remove_one() {
    const Pod* victim = removal_order(left_, ranks_).front();
    const auto place = std::find(left_.begin(), left_.end(), victim);
    ranks_.erase(ranks_.begin() + (place - left_.begin()));
    left_.erase(place);
    return std::string(victim->name.view());
  }

  [[nodiscard]] int skew() const {
    std::map<int, int> sizes = {{1, 0}, {2, 0}, {3, 0}};
    for (const Pod* pod : left_) ++sizes[zone_of(*pod)];
    const auto [fewest, most] =
        std::minmax_element(sizes.begin(), sizes.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; });
    return most->second - fewest->second;
  }

  RankingScene scene_;
  Pods left_;
  Ranks ranks_;  // of those that are left
};

TEST_F(WorkflowExample, RanksAreOneToFourInEachZone) {
  EXPECT_EQ(ranks_, (Ranks{1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4}));
}

TEST_F(WorkflowExample, FirstOneOfP4P8P12GoesThenOneOfTheOtherTwo) {
  std::set<std::string> expected = {"P4", "P8", "P12"};
  EXPECT_EQ(skew(), 0);
  EXPECT_EQ(expected.erase(remove_one()), 1U);
  EXPECT_EQ(skew(), 1);
  EXPECT_EQ(expected.erase(remove_one()), 1U);
  EXPECT_EQ(skew(), 1);
}

TEST_F(WorkflowExample, SkewNeverExceedsOneAndRanksNeedNotBeRecomputed) {
  while (!left_.empty()) {
    remove_one();
    EXPECT_LE(skew(), 1) << left_.size() << " pods left";
    EXPECT_EQ(ranks_, rank()) << left_.size() << " pods left";
  }
}

// Story 3: three replicas with an anti-affinity rule over two zones are scaled down to two. The
// default order, which only sees nodes and ages, leaves both in one zone.
class TwoZones : public ::testing::Test {
 protected:
  TwoZones() {
    scene_.add_node("a1", {{"topology.kubernetes.io/zone", "a"}});
    scene_.add_node("a2", {{"topology.kubernetes.io/zone", "a"}});
    scene_.add_node("b1", {{"topology.kubernetes.io/zone", "b"}});
    model::Placement& apart = scene_.add_placement();
    apart.anti_affinity = {scene_.term("topology.kubernetes.io/zone", "app", "web", 100)};
    for (const char* node : {"a1", "a2", "b1"}) {
      Pod& pod = scene_.add_pod(fmt::format("on-{}", node), node);
      pod.placement = &apart;
      // Far enough apart in age for the default order to see it.
      if (pod.node.view() == "b1") pod.created = pod.ready_since = testing::ago(testing::kMinute);
    }
  }

  Names kept(std::vector<ranking::Weighed> strategies, bool exact = false) {
    const auto group = scene_.group();
    const ranking::Settings settings{.strategies = std::move(strategies), .exact = exact};
    Pods order = removal_order(group, ranking::rank_group(settings, group, scene_).of_pods);
    order.erase(order.begin());
    Names names = names_of(order);
    std::sort(names.begin(), names.end());
    return names;
  }

  RankingScene scene_;
};

TEST_F(TwoZones, TheDefaultOrderEmptiesOneOfThem) {
  EXPECT_EQ(names_of(removal_order(scene_.group(), {})).front(), "on-b1");
}

TEST_F(TwoZones, KeepOnePodEachByTopologySpread) {
  EXPECT_EQ(kept({weighed("TopologySpread", kByZone)}), (Names{"on-a1", "on-b1"}));
}

TEST_F(TwoZones, KeepOnePodEachByAntiAffinity) {
  for (const bool exact : {false, true}) {
    EXPECT_EQ(kept({weighed("AntiAffinity")}, exact).back(), "on-b1") << exact;
  }
}

// Story 2: victims come from nodes that have a PreferNoSchedule taint.
TEST(PreferNoScheduleNodes, AreLeftFirst) {
  RankingScene scene;
  scene.add_node("fine");
  scene.add_taint(scene.add_node("soft"), "spot", model::TaintEffect::kPreferNoSchedule);
  scene.add_taint(scene.add_node("hard"), "gpu", model::TaintEffect::kNoSchedule);
  for (const char* node : {"soft", "fine", "soft", "hard", "fine"}) {
    scene.add_pod(fmt::format("{}-{}", node, scene.group().size()), node);
  }
  const auto group = scene.group();
  const auto first = [&](std::string_view args, std::size_t count) {
    const ranking::Settings settings{.strategies = {weighed("UntoleratedTaints", args)}};
    Pods order = removal_order(group, ranking::rank_group(settings, group, scene).of_pods);
    order.resize(count);
    const Names names = names_of(order);
    return std::set<std::string>(names.begin(), names.end());
  };
  EXPECT_EQ(first(R"({"count": "preferred"})", 2), (std::set<std::string>{"soft-0", "soft-2"}));
  EXPECT_EQ(first(R"({"count": "hard"})", 1), std::set<std::string>{"hard-3"});
  EXPECT_EQ(first(R"({"count": "all"})", 3), (std::set<std::string>{"soft-0", "soft-2", "hard-3"}));
}

}  // namespace
}  // namespace ebb
