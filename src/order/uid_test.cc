#include "order/uid.h"

#include <gtest/gtest.h>

#include "support/order/candidate_pair.h"

namespace ebb::order {
namespace {

using testing::CandidatePair;

TEST(Uid, BytewiseSmallerUidGoesFirst) {
  // A prefix goes before what it is a prefix of, and bytes above 127 go last.
  const std::vector<std::string_view> order = {"",   "0",         "0a",        "A", "a",
                                               "aa", "aaaaaaaa0", "aaaaaaaa1", "b", "\xff"};
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = 0; j < order.size(); ++j) {
      CandidatePair<Uid> versus;
      versus.pod.uid = versus.world.intern(order[i]);
      versus.other.uid = versus.world.intern(order[j]);
      EXPECT_EQ(versus.pod_goes_first(), i < j) << order[i] << " and " << order[j];
      EXPECT_EQ(versus.tie(), i == j) << order[i] << " and " << order[j];
    }
  }
}

TEST(Uid, SaysThatNothingElseDiffers) {
  CandidatePair<Uid> versus;
  versus.pod.uid = versus.world.intern("u1");
  versus.other.uid = versus.world.intern("u2");
  EXPECT_EQ(versus.why_pod_goes(),
            "equal by all other rules, uid u1 is smaller than u2 of web-b, the first pod kept");
  EXPECT_EQ(versus.why_other_stays(),
            "equal by all other rules, uid u2 is greater than u1 of web-a, the last pod removed");
  EXPECT_EQ(versus.pod_goes_briefly(), "equal by all other rules; its uid is smaller");
  EXPECT_EQ(versus.other_stays_briefly(), "equal by all other rules; its uid is greater");
}

}  // namespace
}  // namespace ebb::order
