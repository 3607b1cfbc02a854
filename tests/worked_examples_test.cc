// The worked examples of the proposals behind the removal order: from a picker's or ranker's
// output to the victims.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "order/select.h"
#include "picker/prepared_request.h"
#include "ranking/published_ranks.h"
#include "support/objects/pods.h"

namespace ebb {
namespace {

using model::Pod;
using testing::ago;
using testing::kNow;
using testing::pointers;
using testing::World;

using Names = std::vector<std::string>;

// The pods in the order in which they go.
Names removal_order(const std::vector<Pod>& pods, const std::vector<model::Verdict>& verdicts,
                    const std::vector<std::int32_t>& ranks) {
  const auto candidates = pointers(pods);
  order::NodeCounts counts;
  for (const Pod& pod : pods) ++counts[pod.node];
  order::Lineup lineup = order::line_up({.candidates = candidates,
                                         .co_located = counts,
                                         .now = kNow,
                                         .gates = {},
                                         .prefer_label_in_template = false,
                                         .cost_ranks = ranks,
                                         .verdicts = verdicts});
  lineup.order_first(lineup.size());
  Names names;
  for (std::size_t i = 0; i < lineup.size(); ++i) names.emplace_back(lineup[i].pod->name.view());
  return names;
}

// KEP-3189: four pods with loads 1, 2, 2 and 2, and two have to go. The picker chooses
// the idle one and ties the others; the default order decides among those.
class PickerExample : public ::testing::Test {
 protected:
  PickerExample() {
    for (int i = 1; i <= 4; ++i) pods_.push_back(world_.pod(fmt::format("pod-{}", i)));
  }

  World world_;
  std::vector<Pod> pods_;
};

TEST_F(PickerExample, ChosenPodGoesAndTheNormalOrderBreaksTheTie) {
  const picker::PreparedRequest request = picker::prepare(pointers(pods_), 2);
  EXPECT_EQ(request.requested, 2U);
  EXPECT_EQ(request.candidates, (Names{"pod-1", "pod-2", "pod-3", "pod-4"}));

  const auto verdicts =
      picker::judge(pointers(pods_), {{"pod-1"}, {"pod-2", "pod-3", "pod-4"}}).of_pods;
  const auto victims = [&] {
    Names names = removal_order(pods_, verdicts, {});
    names.resize(2);
    return names;
  };
  EXPECT_EQ(victims(), (Names{"pod-1", "pod-2"}));  // by uid
  pods_[2].restarts = 1;
  EXPECT_EQ(victims(), (Names{"pod-1", "pod-3"}));
  pods_[3].ready_since = ago(kHour);
  EXPECT_EQ(victims(), (Names{"pod-1", "pod-4"}));
}

// Pods that do not serve, and pods with a low cost, go before chosen pods.
TEST_F(PickerExample, PodsThatAreNotReadyAndCheapOnesGoBeforeChosenOnes) {
  pods_[3].ready = false;
  pods_[2].deletion_cost = -1;
  const auto verdicts = picker::judge(pointers(pods_), {{"pod-1"}, {"pod-2"}}).of_pods;
  EXPECT_EQ(removal_order(pods_, verdicts, {}), (Names{"pod-4", "pod-3", "pod-1", "pod-2"}));
}

TEST_F(PickerExample, AnEmptyAnswerIsLikeHavingNoPicker) {
  pods_[0].node = world_.intern("node-2");  // alone there, so the spread keeps it
  const auto verdicts = picker::judge(pointers(pods_), {}).of_pods;
  EXPECT_EQ(removal_order(pods_, verdicts, {}), (Names{"pod-2", "pod-3", "pod-4", "pod-1"}));
  const auto tied =
      picker::judge(pointers(pods_), {{}, {"pod-1", "pod-2", "pod-3", "pod-4"}}).of_pods;
  EXPECT_EQ(removal_order(pods_, tied, {}), (Names{"pod-1", "pod-2", "pod-3", "pod-4"}));
}

// The cost proposal: twelve pods in three zones, ranked 1 to 4 in each. Taking
// the highest rank, one pod at a time, never makes a zone more than one pod smaller.
class ZoneExample : public ::testing::Test {
 protected:
  ZoneExample() {
    for (int i = 1; i <= 12; ++i) {
      Pod pod = world_.pod(fmt::format("P{}", i));
      pod.node = world_.intern(fmt::format("zone-{}", zone_of(i)));
      pod.annotated_rank = (i - 1) % 4 + 1;
      // By age alone, P1 would go first.
      pod.ready_since = pod.created = ago(i * 100 * kHour);
      pods_.push_back(pod);
    }
  }

  static int zone_of(int number) { return (number - 1) / 4 + 1; }

  std::string remove_one() {
    const auto ranks = ranking::find_published_ranks({set_, pointers(pods_), {}}).of_pods;
    const std::string victim = removal_order(pods_, {}, ranks).front();
    std::erase_if(pods_, [&](const Pod& pod) { return pod.name.view() == victim; });
    return victim;
  }

  [[nodiscard]] int skew() const {
    std::map<int, int> sizes = {{1, 0}, {2, 0}, {3, 0}};
    for (const Pod& pod : pods_) {
      ++sizes[zone_of(std::stoi(std::string(pod.name.view().substr(1))))];
    }
    const auto [fewest, most] =
        std::minmax_element(sizes.begin(), sizes.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; });
    return most->second - fewest->second;
  }

  World world_;
  model::ReplicaSet set_ = world_.replica_set("web");
  std::vector<Pod> pods_;
};

TEST_F(ZoneExample, HighestRankGoesZoneByZone) {
  std::set<std::string> expected = {"P4", "P8", "P12"};
  EXPECT_EQ(expected.erase(remove_one()), 1U);
  EXPECT_EQ(expected.erase(remove_one()), 1U);
  EXPECT_EQ(expected.erase(remove_one()), 1U);
}

TEST_F(ZoneExample, SkewNeverExceedsOne) {
  while (!pods_.empty()) {
    remove_one();
    EXPECT_LE(skew(), 1) << pods_.size() << " pods left";
  }
}

TEST_F(ZoneExample, WithOnePodUnrankedTheNormalOrderIsBack) {
  pods_[0].annotated_rank = {};
  EXPECT_EQ(remove_one(), "P1");
}

// Of k victims, all have higher ranks than all that stay.
TEST_F(ZoneExample, ManyAtOnceAreTheHighestRanks) {
  const auto ranks = ranking::find_published_ranks({set_, pointers(pods_), {}}).of_pods;
  Names victims = removal_order(pods_, {}, ranks);
  victims.resize(6);
  const std::set<std::string> unordered(victims.begin(), victims.end());
  EXPECT_EQ(unordered, (std::set<std::string>{"P3", "P4", "P7", "P8", "P11", "P12"}));
}

}  // namespace
}  // namespace ebb
