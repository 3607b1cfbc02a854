#include "order/unassigned.h"

#include <gtest/gtest.h>

#include "support/order/candidate_pair.h"

namespace ebb::order {
namespace {

using testing::CandidatePair;

TEST(Unassigned, PodWithoutANodeGoesFirst) {
  CandidatePair<Unassigned> versus;
  versus.pod.node = {};
  EXPECT_TRUE(versus.pod_goes_first());
  EXPECT_EQ(versus.why_pod_goes(), "not assigned to a node, unlike web-b, the first pod kept");
  EXPECT_EQ(versus.why_other_stays(), "assigned to a node, unlike web-a, the last pod removed");
}

TEST(Unassigned, OneNodeIsAsGoodAsAnother) {
  CandidatePair<Unassigned> versus;
  versus.pod.node = versus.world.intern("node-2");
  EXPECT_TRUE(versus.tie());
}

}  // namespace
}  // namespace ebb::order
