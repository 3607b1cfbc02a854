#include "order/picker_rank.h"

#include <gtest/gtest.h>

#include "support/order/candidate_pair.h"

namespace ebb::order {
namespace {

using testing::CandidatePair;

TEST(PickerRank, ChosenGoesBeforeTiedAndTiedBeforeUnnamed) {
  const std::vector<Verdict> order = {Verdict::kChosen, Verdict::kTied, Verdict::kUnnamed};
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = 0; j < order.size(); ++j) {
      CandidatePair<PickerRank> versus;
      versus.context.picker = true;
      versus.candidate.verdict = order[i];
      versus.other_candidate.verdict = order[j];
      EXPECT_EQ(versus.pod_goes_first(), i < j) << i << " and " << j;
      EXPECT_EQ(versus.tie(), i == j) << i << " and " << j;
    }
  }
}

TEST(PickerRank, HasTheRanksOfTheProposal) {
  CandidatePair<PickerRank> versus;
  versus.context.picker = true;
  const auto rank = [&](Verdict verdict) {
    versus.candidate.verdict = verdict;
    return PickerRank::key(versus.candidate, versus.context);
  };
  EXPECT_EQ(rank(Verdict::kChosen), 0U);
  EXPECT_EQ(rank(Verdict::kTied), 1U);
  EXPECT_EQ(rank(Verdict::kUnnamed), 3U);
}

TEST(PickerRank, SaysWhatThePickerSaid) {
  CandidatePair<PickerRank> versus;
  versus.candidate.verdict = Verdict::kChosen;
  versus.other_candidate.verdict = Verdict::kTied;
  EXPECT_EQ(versus.why_pod_goes(),
            "the picker's verdict \"chosen\" goes before \"tied\" of web-b, the first pod kept");
  versus.candidate.verdict = Verdict::kTied;
  versus.other_candidate.verdict = Verdict::kUnnamed;
  EXPECT_EQ(versus.why_pod_goes(),
            "the picker's verdict \"tied\" goes before \"not named\" of web-b, the first pod kept");
  EXPECT_EQ(
      versus.why_other_stays(),
      "the picker's verdict \"not named\" goes after \"tied\" of web-a, the last pod removed");
}

TEST(PickerRank, IsNotLookedAtWithoutAnAnswer) {
  CandidatePair<PickerRank> versus;
  versus.candidate.verdict = Verdict::kChosen;
  EXPECT_TRUE(versus.tie());
}

}  // namespace
}  // namespace ebb::order
