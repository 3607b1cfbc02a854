#include "order/deletion_cost.h"

#include <gtest/gtest.h>

#include "support/versus.h"

namespace ebb::order {
namespace {

using testing::Versus;

// KEP-2255: the range is symmetric around the default, so that a pod can be marked
// as cheaper as well as dearer than pods nobody said anything about.
TEST(DeletionCost, LowerCostGoesFirst) {
  const std::vector<std::int32_t> order = {INT32_MIN, -10, -2, 0, 1, 10, 100, INT32_MAX};
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = 0; j < order.size(); ++j) {
      Versus<DeletionCost> versus;
      versus.pod.deletion_cost = order[i];
      versus.other.deletion_cost = order[j];
      EXPECT_EQ(versus.pod_goes_first(), i < j) << order[i] << " and " << order[j];
      EXPECT_EQ(versus.tie(), i == j) << order[i] << " and " << order[j];
    }
  }
}

TEST(DeletionCost, SaysBothCosts) {
  Versus<DeletionCost> versus;
  versus.pod.deletion_cost = -2;
  EXPECT_EQ(versus.why_pod_goes(), "deletion cost -2 is lower than 0 of web-b, the first pod kept");
  EXPECT_EQ(versus.why_other_stays(),
            "deletion cost 0 is higher than -2 of web-a, the last pod removed");
}

TEST(DeletionCost, IsNotLookedAtWhenSwitchedOff) {
  Versus<DeletionCost> versus;
  versus.pod.deletion_cost = -2;
  versus.setting.deletion_cost = false;
  EXPECT_TRUE(versus.tie());
}

}  // namespace
}  // namespace ebb::order
