#include "control/replicaset/advice_events.h"

#include <gtest/gtest.h>

#include "support/objects/pods.h"

namespace ebb::control::replicasets {
namespace {

using picker::Outcome;
using Texts = std::vector<std::string>;

class AdviceEvents : public ::testing::Test {
 protected:
  // `PickerFailed: why`, with a `!` in front of warnings.
  Texts explain() {
    Texts texts;
    for (const Event& event : explain_advice(advice_, testing::pointers(pods_), gates_, state_)) {
      texts.push_back((event.warning ? "!" : "") + event.reason + ": " + event.message);
    }
    return texts;
  }
  void end_picker_call(Outcome outcome, Breakers::Change breaker = Breakers::Change::kNone) {
    advice_.picker_advice.picker.emplace(Decision::Picker{});
    advice_.picker_advice.picker->outcome = outcome;
    advice_.picker_advice.breaker = breaker;
  }

  testing::World world_;
  Advice advice_;
  std::vector<model::Pod> pods_ = {world_.pod("a"), world_.pod("b")};
  model::FeatureGates gates_;
  ReplicaSetState state_;
};

TEST_F(AdviceEvents, WithoutAdviceThereAreNone) { EXPECT_EQ(explain(), Texts()); }

TEST_F(AdviceEvents, RanksAreMentionedOnlyIfTheyShouldHaveCounted) {
  advice_.ranks.problems = {"a is missing", "b is old"};
  for (const RankOutcome fine :
       {RankOutcome::kRanked, RankOutcome::kNotNeeded, RankOutcome::kRollout}) {
    advice_.ranks.outcome = fine;
    EXPECT_EQ(explain(), Texts());
  }
  advice_.ranks.outcome = RankOutcome::kIncomplete;
  EXPECT_EQ(explain(), Texts{"!RanksIgnored: The default order decides: a is missing; b is old"});
  advice_.waited_for_ranks_ns = 30 * testing::kSecond;
  EXPECT_EQ(explain(), Texts{"!RanksIgnored: The default order decides, after waiting 30 s: "
                             "a is missing; b is old"});
}

TEST_F(AdviceEvents, APickerIsMentionedIfItFailed) {
  for (const Outcome outcome : picker::kOutcomes) {
    end_picker_call(outcome);
    const bool silent = outcome == Outcome::kAnswered || outcome == Outcome::kEmpty ||
                        outcome == Outcome::kNotNeeded || outcome == Outcome::kBreakerOpen;
    EXPECT_EQ(explain().empty(), silent) << to_string(outcome);
  }
  // What was learnt from the network stays out of it.
  end_picker_call(Outcome::kTimeout);
  advice_.picker_advice.picker->detail = "10.0.0.7:443 did not answer";
  EXPECT_EQ(explain(), Texts{"!PickerFailed: The default order decides because the picker failed: "
                             "timeout (no answer within timeoutSeconds)"});
  end_picker_call(Outcome::kBadSettings);
  advice_.picker_advice.picker->problem = "port: 0 is not a port";
  EXPECT_EQ(explain(), Texts{"!PickerFailed: The default order decides because the picker failed: "
                             "bad settings (port: 0 is not a port)"});
}

TEST_F(AdviceEvents, ABreakerIsMentionedWhenItChanges) {
  end_picker_call(Outcome::kTimeout, Breakers::Change::kOpened);
  ASSERT_EQ(explain().size(), 2U);
  EXPECT_TRUE(explain()[0].starts_with("!PickerBreakerOpen:"));
  EXPECT_TRUE(explain()[1].starts_with("!PickerFailed:"));
  end_picker_call(Outcome::kAnswered, Breakers::Change::kClosed);
  EXPECT_EQ(explain(), Texts{"PickerBreakerClosed: The picker answers again"});
}

TEST_F(AdviceEvents, DeletionCostsBesideAPickerAreMentionedOnce) {
  end_picker_call(Outcome::kAnswered);
  advice_.picker_advice.verdicts = {model::Verdict::kChosen, model::Verdict::kUnnamed};
  EXPECT_EQ(explain(), Texts());
  pods_[1].deletion_cost = 5;
  ASSERT_EQ(explain().size(), 1U);
  EXPECT_EQ(explain(), Texts());
  state_.costs_reported = false;
  advice_.picker_advice.verdicts.clear();
  EXPECT_EQ(explain(), Texts());
}

}  // namespace
}  // namespace ebb::control::replicasets
