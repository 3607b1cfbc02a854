#include "order/phase.h"

#include <gtest/gtest.h>

#include "support/order/candidate_pair.h"

namespace ebb::order {
namespace {

using testing::CandidatePair;

TEST(Phase, PendingGoesBeforeUnknownAndUnknownBeforeRunning) {
  using enum model::Phase;
  const std::vector<model::Phase> order = {kPending, kUnknown, kRunning};
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = 0; j < order.size(); ++j) {
      CandidatePair<Phase> versus;
      versus.pod.phase = order[i];
      versus.other.phase = order[j];
      EXPECT_EQ(versus.pod_goes_first(), i < j) << to_string(order[i]) << to_string(order[j]);
      EXPECT_EQ(versus.tie(), i == j) << to_string(order[i]) << to_string(order[j]);
    }
  }
}

TEST(Phase, AnUnsetPhaseCountsAsPending) {
  CandidatePair<Phase> versus;
  versus.pod.phase = model::Phase::kOther;
  versus.other.phase = model::Phase::kPending;
  EXPECT_TRUE(versus.tie());
}

TEST(Phase, SaysBothPhases) {
  CandidatePair<Phase> versus;
  versus.pod.phase = model::Phase::kPending;
  EXPECT_EQ(versus.why_pod_goes(),
            "phase Pending goes before Running of web-b, the first pod kept");
  EXPECT_EQ(versus.why_other_stays(),
            "phase Running goes after Pending of web-a, the last pod removed");
}

}  // namespace
}  // namespace ebb::order
