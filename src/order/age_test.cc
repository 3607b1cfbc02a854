#include "order/age.h"

#include <gtest/gtest.h>

#include "order/creation_age.h"
#include "order/ready_age.h"
#include "support/objects/pods.h"
#include "support/order/candidate_pair.h"

namespace ebb::order {
namespace {

using testing::ago;
using testing::kNow;
using testing::World;

constexpr Nanoseconds kLongest = std::numeric_limits<Nanoseconds>::max();
constexpr Timestamp kLatest = Timestamp::from_nanoseconds(kLongest);
constexpr Timestamp kEarliest = Timestamp::from_nanoseconds(-kLongest);

TEST(AgeBucket, IsTheLogarithmToBaseTwo) {
  EXPECT_EQ(age_bucket(2 * kHour), 42);
  EXPECT_EQ(age_bucket(5 * kHour), 44);
  EXPECT_EQ(age_bucket(8 * kHour), 44);
}

// Floating point, as upstream has it, rounds up a few nanoseconds below 2^49 and above.
TEST(AgeBucket, IsExactAtEveryPowerOfTwo) {
  for (int power = 0; power < 63; ++power) {
    const Nanoseconds age_ns = Nanoseconds{1} << power;
    EXPECT_EQ(age_bucket(age_ns), power);
    EXPECT_EQ(age_bucket(age_ns - 1), power - 1);
  }
  EXPECT_EQ(age_bucket(kLongest), 62);
}

TEST(AgeBucket, IsMinusOneForNoAgeAndForTheFuture) {
  EXPECT_EQ(age_bucket(0), -1);
  EXPECT_EQ(age_bucket(-1), -1);
  EXPECT_EQ(age_bucket(std::numeric_limits<Nanoseconds>::min()), -1);
}

// KEP-2185 explains buckets with this table, in base 10.
TEST(AgeBucket, GivesTheTableOfTheProposalInBaseTen) {
  const std::pair<Nanoseconds, int> table[] = {
      {5, 0},
      {23, 1},
      {71, 1},
      {1 * kMillisecond, 6},
      {8 * kMillisecond, 6},
      {50 * kMillisecond, 7},
      {2 * kMinute, 11},
      {11 * kMinute, 11},
  };
  for (const auto& [age_ns, bucket] : table) EXPECT_EQ(age_bucket(age_ns, 10), bucket) << age_ns;
}

TEST(AgeKey, GoesByBucketFromUnsetThroughFutureToOld) {
  const OrderContext context{.now = kNow};
  const Timestamp order[] = {{}, ago(-1), ago(1), ago(2), ago(2 * kHour), ago(5 * kHour)};
  for (std::size_t i = 1; i < std::size(order); ++i) {
    EXPECT_LT(age_key(order[i - 1], context), age_key(order[i], context)) << i;
  }
  EXPECT_EQ(age_key(ago(0), context), age_key(ago(-500 * kHour), context));
  EXPECT_EQ(age_key(ago(5 * kHour), context), age_key(ago(8 * kHour), context));
}

TEST(AgeKey, GoesByExactTimeWithoutBucketsOrWithoutNow) {
  const OrderContext exact{.now = kNow, .logarithmic = false};
  const OrderContext timeless{};  // the time of the decision is unknown
  const Timestamp order[] = {{},       kLatest, ago(-1), ago(0), ago(5 * kHour), ago(8 * kHour),
                             kEarliest};
  for (const OrderContext& context : {exact, timeless}) {
    for (std::size_t i = 1; i < std::size(order); ++i) {
      EXPECT_LT(age_key(order[i - 1], context), age_key(order[i], context)) << i;
    }
  }
}

TEST(AgeKey, SurvivesTimesAtBothEnds) {
  EXPECT_EQ(age_key(kEarliest, {.now = kLatest}), age_key(ago(kLongest), {.now = kNow}));
  EXPECT_EQ(age_key(kLatest, {.now = kEarliest}), age_key(ago(-1), {.now = kNow}));
  EXPECT_LT(age_key({}, {.now = kEarliest}), age_key(kLatest, {.now = kEarliest}));
}

class AgeContrast : public ::testing::Test {
 protected:
  static std::string tell_briefly(Timestamp since, Timestamp other_since, bool goes,
                                  const OrderContext& context) {
    return brief_age_contrast("ready", since, other_since, goes, context);
  }

  std::string tell(Timestamp since, Timestamp other_since, const OrderContext& context) {
    return age_contrast("ready", since, other_since, {a_, b_, "web-b, the first pod kept", true},
                        context);
  }

  World world_;
  model::Pod pod_ = world_.pod("web-a");
  Candidate a_{&pod_};
  Candidate b_{&pod_};
};

TEST_F(AgeContrast, NamesAgesAndBuckets) {
  EXPECT_EQ(tell(ago(4 * kMinute), ago(3 * kHour), {.now = kNow}),
            "ready 4m ago (bucket 2m17s to 4m34s) goes before ready 3h ago (bucket 146m to 4h53m) "
            "of web-b, the first pod kept");
}

TEST_F(AgeContrast, NamesUnknownTimesAndTheFuture) {
  EXPECT_EQ(tell({}, ago(-kHour), {.now = kNow}),
            "ready at an unknown time goes before ready in the future of web-b, the first pod "
            "kept");
}

TEST_F(AgeContrast, NamesInstantsWhereTheyAreComparedExactly) {
  EXPECT_EQ(tell(ago(0), ago(kHour), {.now = kNow, .logarithmic = false}),
            "ready 2026-11-01T12:00:00Z goes before ready 2026-11-01T11:00:00Z of web-b, the "
            "first pod kept");
  EXPECT_EQ(tell(ago(0), ago(kHour), {}),
            "ready 2026-11-01T12:00:00Z goes before ready 2026-11-01T11:00:00Z of web-b, the "
            "first pod kept");
}

TEST_F(AgeContrast, NamesAgesBrieflyAndATimeIfTheyLookEqual) {
  const OrderContext context{.now = kNow};
  EXPECT_EQ(tell_briefly(ago(4 * kMinute), ago(3 * kHour), true, context),
            "ready 4m ago, later than 3h ago");
  EXPECT_EQ(tell_briefly(ago(3 * kHour), ago(4 * kMinute), false, context),
            "ready 3h ago, earlier than 4m ago");
  EXPECT_EQ(tell_briefly(ago(300 * kHour), ago(301 * kHour), true, context),
            "ready later, at 2026-10-20T00:00:00Z");
  EXPECT_EQ(tell_briefly(ago(kHour), ago(0), false, {}), "ready earlier, at 2026-11-01T11:00:00Z");
  EXPECT_EQ(tell_briefly({}, ago(kHour), true, context), "ready at an unknown time");
  EXPECT_EQ(tell_briefly(ago(kHour), {}, false, context), "ready at a known time");
}

// What the two criteria of age have in common.
template <class Criterion>
class AgeCriterion : public ::testing::Test {
 protected:
  static Timestamp& time_of(model::Pod& pod) {
    return std::is_same_v<Criterion, ReadyAge> ? pod.ready_since : pod.created;
  }

  testing::CandidatePair<Criterion> versus_;
  Timestamp& time_ = time_of(versus_.pod);
  Timestamp& other_time_ = time_of(versus_.other);
};

using AgeCriteria = ::testing::Types<ReadyAge, CreationAge>;  // docs/requirements.md says /0 and /1
TYPED_TEST_SUITE(AgeCriterion, AgeCriteria);

TYPED_TEST(AgeCriterion, YoungerBucketGoesFirst) {
  this->time_ = ago(2 * kHour);
  this->other_time_ = ago(5 * kHour);
  EXPECT_TRUE(this->versus_.pod_goes_first());
}

TYPED_TEST(AgeCriterion, AgesInOneBucketAreEqual) {
  this->time_ = ago(5 * kHour);
  this->other_time_ = ago(8 * kHour);
  EXPECT_TRUE(this->versus_.tie());
}

TYPED_TEST(AgeCriterion, UnknownTimeGoesBeforeAllOthers) {
  this->time_ = {};
  for (const Timestamp known : {kNow, ago(-kHour), ago(kHour), Timestamp::from_seconds(0)}) {
    this->other_time_ = known;
    EXPECT_TRUE(this->versus_.pod_goes_first()) << known.since_epoch_ns();
  }
}

TYPED_TEST(AgeCriterion, ExactTimesCountWhenBucketsAreSwitchedOff) {
  this->versus_.context.logarithmic = false;
  this->time_ = ago(5 * kHour);
  this->other_time_ = ago(5 * kHour + 1);
  EXPECT_TRUE(this->versus_.pod_goes_first());
}

}  // namespace
}  // namespace ebb::order
