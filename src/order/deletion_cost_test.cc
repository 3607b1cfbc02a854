#include "order/deletion_cost.h"

#include <gtest/gtest.h>

#include "support/order/candidate_pair.h"

namespace ebb::order {
namespace {

using testing::CandidatePair;

// KEP-2255: the range is symmetric around the default, so that a pod can be marked
// as cheaper or as more expensive than pods without a cost.
TEST(DeletionCost, LowerCostGoesFirst) {
  const std::vector<std::int32_t> order = {INT32_MIN, -10, -2, 0, 1, 10, 100, INT32_MAX};
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = 0; j < order.size(); ++j) {
      CandidatePair<DeletionCost> versus;
      versus.pod.deletion_cost = order[i];
      versus.other.deletion_cost = order[j];
      EXPECT_EQ(versus.pod_goes_first(), i < j) << order[i] << " and " << order[j];
      EXPECT_EQ(versus.tie(), i == j) << order[i] << " and " << order[j];
    }
  }
}

TEST(DeletionCost, SaysBothCosts) {
  CandidatePair<DeletionCost> versus;
  versus.pod.deletion_cost = -2;
  EXPECT_EQ(versus.why_pod_goes(), "deletion cost -2 is lower than 0 of web-b, the first pod kept");
  EXPECT_EQ(versus.why_other_stays(),
            "deletion cost 0 is higher than -2 of web-a, the last pod removed");
}

TEST(DeletionCost, IsNotLookedAtWhenSwitchedOff) {
  CandidatePair<DeletionCost> versus;
  versus.pod.deletion_cost = -2;
  versus.context.deletion_cost = false;
  EXPECT_TRUE(versus.tie());
}

}  // namespace
}  // namespace ebb::order
