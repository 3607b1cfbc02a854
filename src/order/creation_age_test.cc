#include "order/creation_age.h"

#include <gtest/gtest.h>

#include "support/order/candidate_pair.h"

namespace ebb::order {
namespace {

using testing::ago;
using testing::CandidatePair;

TEST(CreationAge, SaysHowOldBothPodsAre) {
  CandidatePair<CreationAge> versus;
  versus.pod.created = ago(2 * kHour);
  versus.other.created = ago(5 * kHour);
  EXPECT_EQ(
      versus.why_other_stays(),
      "created 5h ago (bucket 4h53m to 9h) goes after created 120m ago (bucket 73m to 146m) of "
      "web-a, the last pod removed");
  EXPECT_EQ(versus.pod_goes_briefly(), "created 120m ago, later than 5h ago");
}

// Rule 8 does not apply to pods that are not Ready, so this rule distinguishes them.
TEST(CreationAge, CountsForPodsThatAreNotReadyAsWell) {
  CandidatePair<CreationAge> versus;
  versus.pod.ready = versus.other.ready = false;
  versus.pod.created = ago(kHour);
  EXPECT_TRUE(versus.pod_goes_first());
}

}  // namespace
}  // namespace ebb::order
