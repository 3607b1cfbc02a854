#include "order/creation_age.h"

#include <gtest/gtest.h>

#include "support/versus.h"

namespace ebb::order {
namespace {

using testing::Versus;

using testing::ago;
using testing::kHour;
using testing::kNow;

TEST(CreationAge, PodCreatedInAYoungerBucketGoesFirst) {
  Versus<CreationAge> versus;
  versus.pod.created = ago(2 * kHour);
  versus.other.created = ago(5 * kHour);
  EXPECT_TRUE(versus.pod_goes_first());
  EXPECT_EQ(versus.why_pod_goes(),
            "created 120m ago (bucket 73m to 146m) goes before created 5h ago (bucket 4h53m to 9h) "
            "of web-b, "
            "the first pod kept");
  EXPECT_EQ(versus.why_other_stays(),
            "created 5h ago (bucket 4h53m to 9h) goes after created 120m ago (bucket 73m to 146m) "
            "of web-a, "
            "the last pod removed");
}

TEST(CreationAge, AgesInOneBucketAreEqual) {
  Versus<CreationAge> versus;
  versus.pod.created = ago(5 * kHour);
  versus.other.created = ago(8 * kHour);
  EXPECT_TRUE(versus.tie());
}

TEST(CreationAge, UnknownTimeGoesBeforeAllOthers) {
  Versus<CreationAge> versus;
  versus.pod.created = {};
  for (const Timestamp known : {kNow, ago(-kHour), ago(kHour), Timestamp::from_seconds(0)}) {
    versus.other.created = known;
    EXPECT_TRUE(versus.pod_goes_first()) << known.since_epoch_ns();
  }
}

// Rule 8 says nothing about pods that are not Ready, so this is what tells them apart.
TEST(CreationAge, CountsForPodsThatAreNotReadyAsWell) {
  Versus<CreationAge> versus;
  versus.pod.ready = versus.other.ready = false;
  versus.pod.created = ago(kHour);
  EXPECT_TRUE(versus.pod_goes_first());
}

TEST(CreationAge, ExactTimesCountWhenBucketsAreSwitchedOff) {
  Versus<CreationAge> versus;
  versus.setting.logarithmic = false;
  versus.pod.created = ago(5 * kHour);
  versus.other.created = ago(5 * kHour + 1);
  EXPECT_TRUE(versus.pod_goes_first());
}

}  // namespace
}  // namespace ebb::order
