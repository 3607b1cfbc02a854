#include "picker/prepared_request.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "support/objects/pods.h"

namespace ebb::picker {
namespace {

using model::Phase;
using model::Pod;
using model::Verdict;
using testing::pointers;
using testing::World;

using Names = std::vector<std::string>;

class PreparedRequestTest : public ::testing::Test {
 protected:
  Pod& add(std::string_view name) { return pods_.emplace_back(world_.pod(name)); }

  PreparedRequest prepare_for(std::size_t surplus) const {
    return prepare(pointers(pods_), surplus);
  }
  Verdicts judge_answer(const Names& chosen, const Names& tied) const {
    return judge(pointers(pods_), {chosen, tied, {}});
  }

  World world_;
  std::vector<Pod> pods_;
};

TEST_F(PreparedRequestTest, OnlyPodsThatServeAreCandidates) {
  add("ready");
  add("unassigned").node = {};
  add("pending").phase = Phase::kPending;
  add("unknown").phase = Phase::kUnknown;
  add("no-phase").phase = Phase::kOther;
  add("not-ready").ready = false;
  for (const Pod& pod : pods_) EXPECT_EQ(pod.serving(), pod.name.view() == "ready");
  EXPECT_EQ(prepare_for(1).candidates, Names{"ready"});
}

TEST_F(PreparedRequestTest, CandidatesAreSortedByName) {
  for (const char* name : {"web-c", "web-a", "web-b"}) add(name);
  EXPECT_EQ(prepare_for(1).candidates, (Names{"web-a", "web-b", "web-c"}));
}

TEST_F(PreparedRequestTest, CandidatesAreSortedWhateverTheyHaveInCommon) {
  const Names many[] = {
      {"web-1", "web-10", "web-2", "web", "web-1"},
      {"web-7d4b9c6f5d-zzzzzzzzz", "web-7d4b9c6f5d-zzzzzzzza", "web-7d4b9c6f5d-a"},
      {"b", "a"},
      {"\xc3\xa4", "z", "a", ""},
      {"same-letters-b", "same-letters-a", "same-letter"},
  };
  for (Names names : many) {
    pods_.clear();
    for (const std::string& name : names) add(name);
    const PreparedRequest prepared = prepare_for(1);
    std::sort(names.begin(), names.end());
    EXPECT_EQ(prepared.candidates, names);
    ASSERT_EQ(prepared.pods.size(), names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
      EXPECT_EQ(prepared.pods[i]->name.view(), names[i]);
    }
  }
}

TEST_F(PreparedRequestTest, LabelledPodsAreCandidatesToo) {
  add("a").prefer_for_scale_down = true;
  EXPECT_EQ(prepare_for(0).candidates, Names{"a"});
}

TEST_F(PreparedRequestTest, PodsThatGoAnywayCountAgainstTheNumberAskedFor) {
  for (const char* name : {"a", "b", "c", "d"}) add(name);
  add("unassigned").node = {};
  add("not-ready").ready = false;
  const std::size_t requested_for_surplus[] = {
      0,  // nothing to remove
      0,  // one of those that go anyway
      0,  // both
      1, 2, 3,
      0,  // all pods, so there is nothing to choose
  };
  for (std::size_t surplus = 0; surplus <= 6; ++surplus) {
    EXPECT_EQ(prepare_for(surplus).requested, requested_for_surplus[surplus]) << surplus;
  }
}

TEST_F(PreparedRequestTest, WithoutPodsThePickerIsNotCalled) {
  EXPECT_EQ(prepare_for(0).requested, 0U);
  EXPECT_TRUE(prepare_for(0).candidates.empty());
}

TEST_F(PreparedRequestTest, NamesBecomeVerdictsAndOthersAreUnnamed) {
  for (const char* name : {"a", "b", "c"}) add(name);
  const Verdicts verdicts = judge_answer({"c"}, {"a"});
  EXPECT_EQ(verdicts.of_pods, (std::vector{Verdict::kTied, Verdict::kUnnamed, Verdict::kChosen}));
  EXPECT_TRUE(verdicts.ignored.empty());
}

TEST_F(PreparedRequestTest, FewerOrMoreNamesThanAskedForAreLegal) {
  for (const char* name : {"a", "b", "c"}) add(name);
  EXPECT_EQ(judge_answer({"a"}, {}).of_pods,
            (std::vector{Verdict::kChosen, Verdict::kUnnamed, Verdict::kUnnamed}));
  EXPECT_EQ(judge_answer({"a", "b", "c"}, {}).of_pods,
            (std::vector{Verdict::kChosen, Verdict::kChosen, Verdict::kChosen}));
}

TEST_F(PreparedRequestTest, NameInBothListsIsChosen) {
  for (const char* name : {"a", "b"}) add(name);
  const Verdicts verdicts = judge_answer({"a"}, {"a", "b"});
  EXPECT_EQ(verdicts.of_pods, (std::vector{Verdict::kChosen, Verdict::kTied}));
  EXPECT_TRUE(verdicts.ignored.empty());
}

TEST_F(PreparedRequestTest, UnknownAndRepeatedNamesAreIgnoredAndReported) {
  for (const char* name : {"a", "b"}) add(name);
  const Verdicts verdicts = judge_answer({"a", "gone", "a"}, {"", "A"});
  EXPECT_EQ(verdicts.of_pods, (std::vector{Verdict::kChosen, Verdict::kUnnamed}));
  EXPECT_EQ(verdicts.ignored, (Names{"gone", "a", "", "A"}));
}

TEST_F(PreparedRequestTest, NamesOfPodsThatWereNotSentAreIgnored) {
  add("a");
  add("not-ready").ready = false;
  const Verdicts verdicts = judge_answer({"not-ready"}, {"a"});
  EXPECT_EQ(verdicts.of_pods, (std::vector{Verdict::kTied, Verdict::kUnnamed}));
  EXPECT_EQ(verdicts.ignored, Names{"not-ready"});
}

TEST_F(PreparedRequestTest, AnAnswerThatNamesNoCandidateIsIgnored) {
  for (const char* name : {"a", "b"}) add(name);
  EXPECT_TRUE(judge_answer({}, {}).of_pods.empty());
  const Verdicts verdicts = judge_answer({"gone"}, {"gone", "lost"});
  EXPECT_TRUE(verdicts.of_pods.empty());
  EXPECT_EQ(verdicts.ignored, (Names{"gone", "gone", "lost"}));
}

TEST_F(PreparedRequestTest, TiedAloneIsAnAnswer) {
  for (const char* name : {"a", "b"}) add(name);
  EXPECT_EQ(judge_answer({}, {"a", "b"}).of_pods, (std::vector{Verdict::kTied, Verdict::kTied}));
}

}  // namespace
}  // namespace ebb::picker
