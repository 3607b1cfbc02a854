#include "order/cost_rank.h"

#include <gtest/gtest.h>

#include "support/order/candidate_pair.h"

namespace ebb::order {
namespace {

using testing::CandidatePair;

// The sign is the opposite of deletion cost.
TEST(CostRank, HigherRankGoesFirst) {
  const std::vector<std::int32_t> order = {INT32_MAX, 100, 4, 1, 0, -1, INT32_MIN};
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = 0; j < order.size(); ++j) {
      CandidatePair<CostRank> versus;
      versus.context.cost_ranks = true;
      versus.candidate.cost_rank = order[i];
      versus.other_candidate.cost_rank = order[j];
      EXPECT_EQ(versus.pod_goes_first(), i < j) << order[i] << " and " << order[j];
      EXPECT_EQ(versus.tie(), i == j) << order[i] << " and " << order[j];
    }
  }
}

TEST(CostRank, SaysBothRanks) {
  CandidatePair<CostRank> versus;
  versus.candidate.cost_rank = 4;
  versus.other_candidate.cost_rank = 1;
  EXPECT_EQ(versus.why_pod_goes(), "cost rank 4 is higher than 1 of web-b, the first pod kept");
  EXPECT_EQ(versus.why_other_stays(), "cost rank 1 is lower than 4 of web-a, the last pod removed");
}

TEST(CostRank, IsNotLookedAtUnlessAllAreRanked) {
  CandidatePair<CostRank> versus;
  versus.candidate.cost_rank = 4;
  versus.context.cost_ranks = false;
  EXPECT_TRUE(versus.tie());
}

TEST(CostRank, IsNeverMixedWithDeletionCost) {
  CandidatePair<CostRank> versus;
  versus.context.cost_ranks = true;
  versus.pod.deletion_cost = 7;
  EXPECT_TRUE(versus.tie());
}

}  // namespace
}  // namespace ebb::order
