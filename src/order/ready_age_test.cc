#include "order/ready_age.h"

#include <gtest/gtest.h>

#include "support/versus.h"

namespace ebb::order {
namespace {

using testing::Versus;

using testing::ago;
using testing::kHour;
using testing::kNow;

TEST(ReadyAge, PodThatBecameReadyInAYoungerBucketGoesFirst) {
  Versus<ReadyAge> versus;
  versus.pod.ready_since = ago(2 * kHour);
  versus.other.ready_since = ago(5 * kHour);
  EXPECT_TRUE(versus.pod_goes_first());
  EXPECT_EQ(versus.why_pod_goes(),
            "ready 120m ago (bucket 73m to 146m) goes before ready 5h ago (bucket 4h53m to 9h) of "
            "web-b, the "
            "first pod kept");
  EXPECT_EQ(versus.why_other_stays(),
            "ready 5h ago (bucket 4h53m to 9h) goes after ready 120m ago (bucket 73m to 146m) of "
            "web-a, the "
            "last pod removed");
}

TEST(ReadyAge, AgesInOneBucketAreEqual) {
  Versus<ReadyAge> versus;
  versus.pod.ready_since = ago(5 * kHour);
  versus.other.ready_since = ago(8 * kHour);
  EXPECT_TRUE(versus.tie());
}

TEST(ReadyAge, UnknownTimeGoesBeforeAllOthers) {
  Versus<ReadyAge> versus;
  versus.pod.ready_since = {};
  for (const Timestamp known : {kNow, ago(-kHour), ago(kHour), Timestamp::from_seconds(0)}) {
    versus.other.ready_since = known;
    EXPECT_TRUE(versus.pod_goes_first()) << known.since_epoch_ns();
  }
}

TEST(ReadyAge, PodsThatAreNotReadyHaveNoReadyAge) {
  Versus<ReadyAge> versus;
  versus.pod.ready = versus.other.ready = false;
  versus.pod.ready_since = ago(kHour);
  versus.other.ready_since = ago(500 * kHour);
  EXPECT_TRUE(versus.tie());
}

TEST(ReadyAge, ExactTimesCountWhenBucketsAreSwitchedOff) {
  Versus<ReadyAge> versus;
  versus.setting.logarithmic = false;
  versus.pod.ready_since = ago(5 * kHour);
  versus.other.ready_since = ago(5 * kHour + 1);
  EXPECT_TRUE(versus.pod_goes_first());
}

TEST(ReadyAge, DoesNotLookAtTheCreationTime) {
  Versus<ReadyAge> versus;
  versus.pod.created = ago(1);
  EXPECT_TRUE(versus.tie());
}

}  // namespace
}  // namespace ebb::order
