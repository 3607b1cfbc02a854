#include "runtime/pages/review_cache.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/deadline_queue.h"

namespace ebb::runtime {
namespace {

const Timestamp kNow = Timestamp::from_nanoseconds(1'000 * kNanosecondsPerSecond);
const Verdict kAllowed{.kind = Verdict::Kind::kAllowed};
const Verdict kForbidden{.kind = Verdict::Kind::kForbidden, .user = "jo"};

ReviewKey key(std::size_t number) { return net::sha256(fmt::format("{}", number)); }

TEST(ReviewCache, RemembersForAShortTime) {
  ReviewCache cache;
  EXPECT_FALSE(cache.find(key(1), kNow));
  cache.put(key(1), kAllowed, kNow);
  cache.put(key(2), kForbidden, kNow);
  const Timestamp last = later_by(kNow, ReviewCache::kLifetimeNs - 1);
  EXPECT_EQ(cache.find(key(1), last)->kind, Verdict::Kind::kAllowed);
  EXPECT_EQ(cache.find(key(2), last)->user, "jo");
  const Timestamp over = later_by(last, 1);
  EXPECT_FALSE(cache.find(key(1), over));
  EXPECT_FALSE(cache.find(key(2), over));
}

TEST(ReviewCache, ForgetsARightThatIsGone) {
  ReviewCache cache;
  cache.put(key(1), kAllowed, kNow);
  EXPECT_TRUE(cache.was_allowed(key(1)));
  cache.put(key(1), kForbidden, kNow);
  EXPECT_EQ(cache.find(key(1), kNow)->kind, Verdict::Kind::kForbidden);
  EXPECT_FALSE(cache.was_allowed(key(1)));
  cache.put(key(1), kAllowed, kNow);
  EXPECT_EQ(cache.find(key(1), kNow)->kind, Verdict::Kind::kAllowed);
}

TEST(ReviewCache, DoesNotRememberFailures) {
  ReviewCache cache;
  cache.put(key(1), {.kind = Verdict::Kind::kFailed}, kNow);
  EXPECT_FALSE(cache.find(key(1), kNow));
  EXPECT_EQ(cache.size(), 0U);
}

TEST(ReviewCache, IsBoundedAndBadTokensDoNotPushOutGoodOnes) {
  ReviewCache cache;
  cache.put(key(0), kAllowed, kNow);
  for (std::size_t i = 1; i <= 5'000; ++i) {
    cache.put(key(i), {.kind = Verdict::Kind::kUnauthenticated}, kNow);
  }
  EXPECT_EQ(cache.size(), 1 + ReviewCache::kMaxRefused);
  EXPECT_TRUE(cache.find(key(0), kNow));
  EXPECT_FALSE(cache.find(key(1), kNow)) << "the oldest goes first";
  EXPECT_TRUE(cache.find(key(5'000), kNow));
  for (std::size_t i = 6'000; i < 7'000; ++i) cache.put(key(i), kAllowed, kNow);
  EXPECT_EQ(cache.size(), ReviewCache::kMaxAllowed + ReviewCache::kMaxRefused);
}

}  // namespace
}  // namespace ebb::runtime
