#include "order/restarts.h"

#include <gtest/gtest.h>

#include "support/order/candidate_pair.h"

namespace ebb::order {
namespace {

using testing::CandidatePair;

TEST(Restarts, MoreRestartsGoFirstAndSidecarsBreakTies) {
  struct Counts {
    std::int32_t restarts;
    std::int32_t sidecar_restarts;
  };
  const std::vector<Counts> order = {{INT32_MAX, INT32_MAX},
                                     {INT32_MAX, 0},
                                     {9001, 9001},
                                     {9001, 0},
                                     {1, INT32_MAX},
                                     {1, 1},
                                     {1, 0},
                                     {0, 7},
                                     {0, 0}};
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = 0; j < order.size(); ++j) {
      CandidatePair<Restarts> versus;
      versus.pod.restarts = order[i].restarts;
      versus.pod.sidecar_restarts = order[i].sidecar_restarts;
      versus.other.restarts = order[j].restarts;
      versus.other.sidecar_restarts = order[j].sidecar_restarts;
      EXPECT_EQ(versus.pod_goes_first(), i < j) << i << " and " << j;
      EXPECT_EQ(versus.tie(), i == j) << i << " and " << j;
    }
  }
}

TEST(Restarts, SaysWhichCountsDiffer) {
  CandidatePair<Restarts> versus;
  versus.pod.restarts = 7;
  versus.other.restarts = 2;
  EXPECT_EQ(versus.why_pod_goes(), "restart count 7 is higher than 2 of web-b, the first pod kept");
  EXPECT_EQ(versus.why_other_stays(),
            "restart count 2 is lower than 7 of web-a, the last pod removed");
}

TEST(Restarts, SpeaksOfSidecarsOnlyWhenTheyDecide) {
  CandidatePair<Restarts> versus;
  versus.pod.restarts = versus.other.restarts = 2;
  versus.pod.sidecar_restarts = 5;
  EXPECT_EQ(versus.why_pod_goes(),
            "sidecar restart count 5 is higher than 0 of web-b, the first pod kept");
  EXPECT_EQ(versus.why_other_stays(),
            "sidecar restart count 0 is lower than 5 of web-a, the last pod removed");
}

}  // namespace
}  // namespace ebb::order
