#include "order/select.h"

#include <functional>

#include <gtest/gtest.h>

#include "support/objects/pods.h"

namespace ebb::order {
namespace {

using model::FeatureGates;
using model::Gate;
using model::Pod;
using testing::ago;
using testing::kNow;
using testing::pointers;
using testing::World;

// Two pods that are alike; `a` goes first, by uid, unless a test gives a reason for `z`.
class Select : public ::testing::Test {
 protected:
  [[nodiscard]] Candidate first() const {
    const auto candidates = pointers(pods_);
    Lineup lineup = line_up({.candidates = candidates,
                             .co_located = co_located_,
                             .now = kNow,
                             .gates = gates_,
                             .prefer_label_in_template = label_in_template_,
                             .cost_ranks = cost_ranks_,
                             .verdicts = verdicts_});
    lineup.order_first(1);
    return lineup[0];
  }
  [[nodiscard]] std::string_view first_victim() const { return first().pod->name.view(); }

  // An extension that was used, switched off and on again keeps no memory of it.
  void expect_switch(Gate gate, std::string_view victim_on, std::string_view victim_off) {
    EXPECT_EQ(first_victim(), victim_on);
    gates_.set(gate, false);
    EXPECT_EQ(first_victim(), victim_off);
    gates_.set(gate, true);
    EXPECT_EQ(first_victim(), victim_on);
  }

  void crowd_z() {
    pods_[1].node = world_.intern("crowded");
    co_located_[pods_[1].node] = 3;
    co_located_[pods_[0].node] = 1;
  }

  World world_;
  std::vector<Pod> pods_ = {world_.pod("a"), world_.pod("z")};
  NodeCounts co_located_;
  FeatureGates gates_;
  bool label_in_template_ = false;
  std::vector<std::int32_t> cost_ranks_;
  std::vector<Verdict> verdicts_;
};

TEST_F(Select, WithoutAnyHintTheUidDecides) { EXPECT_EQ(first_victim(), "a"); }

TEST_F(Select, GatePreferForScaleDownSwitchesTheLabel) {
  pods_[1].prefer_for_scale_down = true;
  expect_switch(Gate::kPreferForScaleDown, "z", "a");
}

TEST_F(Select, GatePodDeletionCostSwitchesTheCost) {
  pods_[1].deletion_cost = -1;
  expect_switch(Gate::kPodDeletionCost, "z", "a");
}

TEST_F(Select, GatePodCostRankingSwitchesTheRanks) {
  cost_ranks_ = {1, 2};
  expect_switch(Gate::kPodCostRanking, "z", "a");
}

TEST_F(Select, GateDownscalePodPickerSwitchesTheAnswer) {
  verdicts_ = {Verdict::kUnnamed, Verdict::kChosen};
  expect_switch(Gate::kDownscalePodPicker, "z", "a");
}

TEST_F(Select, GateLogarithmicScaleDownSwitchesBetweenBucketsAndExactTimes) {
  pods_[0].ready_since = ago(8 * kHour);
  expect_switch(Gate::kLogarithmicScaleDown, "a", "z");
}

// Only the picker's own gate brings the spread criterion back.
TEST_F(Select, AnAnswerSwitchesCoLocationOffForAsLongAsItsGateIsOn) {
  crowd_z();
  EXPECT_EQ(first_victim(), "z");
  verdicts_ = {Verdict::kTied, Verdict::kTied};
  expect_switch(Gate::kDownscalePodPicker, "a", "z");
}

TEST_F(Select, GatesThatSayNothingAboutTheOrderDoNotChangeIt) {
  crowd_z();
  gates_.set(Gate::kDeploymentReplicaSetTerminatingReplicas, false);
  EXPECT_EQ(first_victim(), "z");
}

TEST_F(Select, EachExtensionWorksWithAllOthersSwitchedOff) {
  struct Hint {
    Gate gate;
    std::function<void()> give;
  };
  const Hint hints[] = {
      {Gate::kPreferForScaleDown, [this] { pods_[1].prefer_for_scale_down = true; }},
      {Gate::kPodDeletionCost, [this] { pods_[1].deletion_cost = -1; }},
      {Gate::kPodCostRanking,
       [this] {
         cost_ranks_ = {1, 2};
       }},
      {Gate::kDownscalePodPicker,
       [this] {
         verdicts_ = {Verdict::kUnnamed, Verdict::kChosen};
       }},
  };
  for (const Hint& hint : hints) {
    pods_ = {world_.pod("a"), world_.pod("z")};
    cost_ranks_.clear();
    verdicts_.clear();
    hint.give();
    for (std::size_t i = 0; i < model::kGateNames.size(); ++i) {
      gates_.set(static_cast<Gate>(i), static_cast<Gate>(i) == hint.gate);
    }
    EXPECT_EQ(first_victim(), "z") << model::kGateNames[static_cast<std::size_t>(hint.gate)];
  }
}

// All pods have it then, or had it when they were made; it marks none of them.
TEST_F(Select, LabelInTheTemplateMarksNoPod) {
  pods_[1].prefer_for_scale_down = true;
  label_in_template_ = true;
  EXPECT_EQ(first_victim(), "a");
}

TEST_F(Select, EqualCostsRanksAndLabelsChangeNothing) {
  for (Pod& pod : pods_) {
    pod.prefer_for_scale_down = true;
    pod.deletion_cost = 100;
  }
  cost_ranks_ = {7, 7};
  pods_[1].restarts = 1;
  EXPECT_EQ(first_victim(), "z");
}

TEST_F(Select, CrowdIsLookedUpByNode) {
  EXPECT_EQ(first().co_located, 0U);  // nothing was counted
  crowd_z();
  EXPECT_EQ(first().co_located, 3U);
  co_located_[pods_[0].node] = 4;
  EXPECT_EQ(first().co_located, 4U);
}

TEST_F(Select, RanksOrVerdictsForOtherNumbersOfPodsAreABug) {
  cost_ranks_ = {1};
  EXPECT_DEATH((void)first_victim(), "cost_ranks");
  cost_ranks_.clear();
  verdicts_ = {Verdict::kTied, Verdict::kTied, Verdict::kTied};
  EXPECT_DEATH((void)first_victim(), "verdicts");
}

}  // namespace
}  // namespace ebb::order
