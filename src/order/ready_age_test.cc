#include "order/ready_age.h"

#include <gtest/gtest.h>

#include "support/order/candidate_pair.h"

namespace ebb::order {
namespace {

using testing::ago;
using testing::CandidatePair;

TEST(ReadyAge, SaysHowOldBothPodsAre) {
  CandidatePair<ReadyAge> versus;
  versus.pod.ready_since = ago(2 * kHour);
  versus.other.ready_since = ago(5 * kHour);
  EXPECT_EQ(versus.why_other_stays(),
            "ready 5h ago (bucket 4h53m to 9h) goes after ready 120m ago (bucket 73m to 146m) of "
            "web-a, the last pod removed");
  EXPECT_EQ(versus.pod_goes_briefly(), "ready 120m ago, later than 5h ago");
}

TEST(ReadyAge, PodsThatAreNotReadyHaveNoReadyAge) {
  CandidatePair<ReadyAge> versus;
  versus.pod.ready = versus.other.ready = false;
  versus.pod.ready_since = ago(kHour);
  versus.other.ready_since = ago(500 * kHour);
  EXPECT_TRUE(versus.tie());
}

TEST(ReadyAge, DoesNotLookAtTheCreationTime) {
  CandidatePair<ReadyAge> versus;
  versus.pod.created = ago(1);
  EXPECT_TRUE(versus.tie());
}

}  // namespace
}  // namespace ebb::order
