#include "order/prefer_for_scale_down.h"

#include <gtest/gtest.h>

#include "support/versus.h"

namespace ebb::order {
namespace {

using testing::Versus;

TEST(PreferForScaleDown, LabelledPodGoesFirst) {
  Versus<PreferForScaleDown> versus;
  versus.pod.prefer_for_scale_down = true;
  EXPECT_TRUE(versus.pod_goes_first());
  EXPECT_EQ(versus.why_pod_goes(),
            "has the label kubernetes.io/prefer-for-scale-down, unlike web-b, the first pod kept");
  EXPECT_EQ(versus.why_other_stays(),
            "does not have the label kubernetes.io/prefer-for-scale-down, unlike web-a, the last "
            "pod removed");
}

TEST(PreferForScaleDown, WhenEveryPodOrNoneHasTheLabelNothingIsDecided) {
  Versus<PreferForScaleDown> versus;
  EXPECT_TRUE(versus.tie());
  versus.pod.prefer_for_scale_down = versus.other.prefer_for_scale_down = true;
  EXPECT_TRUE(versus.tie());
}

TEST(PreferForScaleDown, IsNotLookedAtWhenSwitchedOff) {
  Versus<PreferForScaleDown> versus;
  versus.pod.prefer_for_scale_down = true;
  versus.setting.prefer_label = false;
  EXPECT_TRUE(versus.tie());
}

}  // namespace
}  // namespace ebb::order
