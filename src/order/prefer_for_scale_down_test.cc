#include "order/prefer_for_scale_down.h"

#include <gtest/gtest.h>

#include "support/order/candidate_pair.h"

namespace ebb::order {
namespace {

using testing::CandidatePair;

TEST(PreferForScaleDown, LabelledPodGoesFirst) {
  CandidatePair<PreferForScaleDown> versus;
  versus.pod.prefer_for_scale_down = true;
  EXPECT_TRUE(versus.pod_goes_first());
  EXPECT_EQ(versus.why_pod_goes(),
            "has the label kubernetes.io/prefer-for-scale-down, unlike web-b, the first pod kept");
  EXPECT_EQ(versus.why_other_stays(),
            "does not have the label kubernetes.io/prefer-for-scale-down, unlike web-a, the last "
            "pod removed");
  EXPECT_EQ(versus.pod_goes_briefly(), "has the label prefer-for-scale-down");
  EXPECT_EQ(versus.other_stays_briefly(), "without the label prefer-for-scale-down");
}

TEST(PreferForScaleDown, WhenEveryPodOrNoneHasTheLabelNothingIsDecided) {
  CandidatePair<PreferForScaleDown> versus;
  EXPECT_TRUE(versus.tie());
  versus.pod.prefer_for_scale_down = versus.other.prefer_for_scale_down = true;
  EXPECT_TRUE(versus.tie());
}

TEST(PreferForScaleDown, IsNotLookedAtWhenSwitchedOff) {
  CandidatePair<PreferForScaleDown> versus;
  versus.pod.prefer_for_scale_down = true;
  versus.context.prefer_label = false;
  EXPECT_TRUE(versus.tie());
}

}  // namespace
}  // namespace ebb::order
