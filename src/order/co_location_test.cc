#include "order/co_location.h"

#include <gtest/gtest.h>

#include "support/order/candidate_pair.h"

namespace ebb::order {
namespace {

using testing::CandidatePair;

TEST(CoLocation, MoreCrowdedNodeLosesAPodFirst) {
  const std::vector<std::uint32_t> order = {UINT32_MAX, 500, 2, 1, 0};
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = 0; j < order.size(); ++j) {
      CandidatePair<CoLocation> versus;
      versus.candidate.co_located = order[i];
      versus.other_candidate.co_located = order[j];
      EXPECT_EQ(versus.pod_goes_first(), i < j) << order[i] << " and " << order[j];
      EXPECT_EQ(versus.tie(), i == j) << order[i] << " and " << order[j];
    }
  }
}

TEST(CoLocation, SaysHowManyPodsShareWhichNode) {
  CandidatePair<CoLocation> versus;
  versus.candidate.co_located = 3;
  versus.other.node = versus.world.intern("node-2");
  versus.other_candidate.co_located = 1;
  EXPECT_EQ(
      versus.why_pod_goes(),
      "node-1 holds 3 of the related pods, more than the 1 on node-2 of web-b, the first pod kept");
  EXPECT_EQ(versus.why_other_stays(),
            "node-2 holds 1 of the related pods, fewer than the 3 on node-1 of web-a, the last pod "
            "removed");
  EXPECT_EQ(versus.pod_goes_briefly(), "related pods on its node: 3, more than 1");
  EXPECT_EQ(versus.other_stays_briefly(), "related pods on its node: 1, fewer than 3");
}

TEST(CoLocation, IsNotLookedAtWhenAPickerAnswered) {
  CandidatePair<CoLocation> versus;
  versus.candidate.co_located = 3;
  versus.context.picker = true;
  EXPECT_TRUE(versus.tie());
}

}  // namespace
}  // namespace ebb::order
