#include "cli/picker/picker_trial.h"

#include <gtest/gtest.h>

namespace ebb::cli {
namespace {

using picker::Outcome;

constexpr Timestamp kNow = Timestamp::from_seconds(1793534400);
constexpr Nanoseconds kBudget = kNanosecondsPerSecond;

Asked answered(const Trials& trials, const Trial& trial, picker::Answer answer,
               Nanoseconds took_ns = 1000) {
  Asked asked{.request = trials.request(trial, picker::Context::kNames), .took_ns = took_ns};
  asked.reply.outcome = Outcome::kAnswered;
  asked.reply.answer = std::move(answer);
  return asked;
}

std::vector<std::string> names(const TrialResult& trial_result) {
  std::vector<std::string> result;
  for (const TrialResult::Victim& victim : trial_result.victims) result.push_back(victim.name);
  return result;
}

TEST(PickerTrial, SamplesAskAsAControllerWould) {
  const Trials trials = Trials::of_samples(500, kNow);
  ASSERT_EQ(trials.all().size(), 5U);
  const picker::PickRequest example = trials.request(trials.all()[1], picker::Context::kFull);
  EXPECT_EQ(example.requested, 2U);
  EXPECT_EQ(example.candidates, (std::vector<std::string>{"pod-1", "pod-2", "pod-3", "pod-4"}));
  ASSERT_EQ(example.facts.size(), 4U);
  EXPECT_EQ(example.facts[0].zone, "zone-a");
  EXPECT_EQ(example.facts[0].age_seconds, 3600);
  EXPECT_TRUE(trials.all()[2].again);
  const picker::PickRequest many = trials.request(trials.all()[4], picker::Context::kNames);
  EXPECT_EQ(many.candidates.size(), 500U);
  EXPECT_EQ(many.requested, 50U);
  EXPECT_TRUE(many.facts.empty());
}

TEST(PickerTrial, ReportsWhichPodsGoAndWhy) {
  const Trials trials = Trials::of_names({"pod-1", "pod-2", "pod-3", "pod-4"}, kNow);
  const Trial& trial = trials.all()[1];
  ASSERT_EQ(trial.surplus, 2U);
  const TrialResult trial_result = judge_trial(
      trial, answered(trials, trial, {.chosen = {"pod-3"}, .tied = {"pod-1", "pod-2", "pod-4"}}),
      kBudget, nullptr);
  EXPECT_EQ(names(trial_result), (std::vector<std::string>{"pod-3", "pod-1"}));
  EXPECT_EQ(trial_result.victims[0].rule, "PickerRank");
  EXPECT_EQ(trial_result.chosen, 1U);
  EXPECT_EQ(trial_result.tied, 3U);
  EXPECT_TRUE(trial_result.problems.empty());
  EXPECT_TRUE(trial_result.warnings.empty());
}

TEST(PickerTrial, NamesThatAreNotCandidatesAreAProblem) {
  const Trials trials = Trials::of_names({"a", "b", "c"}, kNow);
  const Trial& trial = trials.all()[0];
  const TrialResult trial_result = judge_trial(
      trial, answered(trials, trial, {.chosen = {"b", "x", "b"}, .tied = {}}), kBudget, nullptr);
  EXPECT_EQ(trial_result.ignored, (std::vector<std::string>{"x", "b"}));
  EXPECT_EQ(trial_result.problems.size(), 1U);
  EXPECT_EQ(names(trial_result), std::vector<std::string>{"b"});
}

TEST(PickerTrial, AnotherAnswerToTheSameRequestIsAProblem) {
  const Trials trials = Trials::of_names({"a", "b", "c"}, kNow);
  const Trial& trial = trials.all()[0];
  const Trial& again = trials.all()[1];
  const TrialResult first = judge_trial(
      trial, answered(trials, trial, {.chosen = {"a"}, .tied = {"b", "c"}}), kBudget, nullptr);
  const TrialResult same = judge_trial(
      again, answered(trials, again, {.chosen = {"a"}, .tied = {"c", "b"}}), kBudget, &first);
  EXPECT_TRUE(same.problems.empty());
  const TrialResult other = judge_trial(
      again, answered(trials, again, {.chosen = {"b"}, .tied = {"a", "c"}}), kBudget, &first);
  EXPECT_EQ(other.problems.size(), 1U);
}

TEST(PickerTrial, WarnsOfWhatIsLegalButHardlyMeant) {
  const Trials trials = Trials::of_names({"a", "b", "c"}, kNow);
  const Trial& trial = trials.all()[0];
  Asked empty = answered(trials, trial, {});
  empty.reply.outcome = Outcome::kEmpty;
  EXPECT_EQ(judge_trial(trial, empty, kBudget, nullptr).warnings.size(), 1U);
  const picker::Answer typo{.chosen = {"a"}, .tied = {}, .other_keys = {"tied_pod"}};
  EXPECT_EQ(judge_trial(trial, answered(trials, trial, typo), kBudget, nullptr).warnings.size(),
            1U);
  const picker::Answer good{.chosen = {"a"}, .tied = {}};
  const auto slow = answered(trials, trial, good, kBudget / 2 + 1);
  EXPECT_EQ(judge_trial(trial, slow, kBudget, nullptr).warnings.size(), 1U);
}

TEST(PickerTrial, AFailureSaysWhatAControllerDoesInstead) {
  const Trials trials = Trials::of_names({"a", "b", "c"}, kNow);
  const Trial& trial = trials.all()[0];
  Asked failed{.request = trials.request(trial, picker::Context::kNames)};
  failed.reply = {.outcome = Outcome::kStatusCode, .code = 503, .repeatable = true};
  const TrialResult trial_result = judge_trial(trial, failed, kBudget, nullptr);
  ASSERT_EQ(trial_result.problems.size(), 1U);
  EXPECT_EQ(trial_result.problems[0],
            "status code 503; a controller retries within the time budget, then the pods go in "
            "the default order");
  EXPECT_EQ(trial_result.victims.size(), 1U);
  EXPECT_EQ(trial_result.victims[0].rule, "Uid");
}

}  // namespace
}  // namespace ebb::cli
