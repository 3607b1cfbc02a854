#include "order/not_ready.h"

#include <gtest/gtest.h>

#include "support/order/candidate_pair.h"

namespace ebb::order {
namespace {

using testing::CandidatePair;

TEST(NotReady, PodThatIsNotReadyGoesFirst) {
  CandidatePair<NotReady> versus;
  versus.pod.ready = false;
  EXPECT_TRUE(versus.pod_goes_first());
  EXPECT_EQ(versus.why_pod_goes(), "not Ready, unlike web-b, the first pod kept");
  EXPECT_EQ(versus.why_other_stays(), "Ready, unlike web-a, the last pod removed");
}

TEST(NotReady, SinceWhenDoesNotMatter) {
  CandidatePair<NotReady> versus;
  versus.pod.ready_since = {};
  EXPECT_TRUE(versus.tie());
}

}  // namespace
}  // namespace ebb::order
