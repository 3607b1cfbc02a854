#include "runtime/pages/review_queue.h"

#include <gtest/gtest.h>

#include "base/deadline_queue.h"

namespace ebb::runtime {
namespace {

constexpr ReviewLimits kLimits{.max_in_flight = 2,
                               .max_per_second = 10,
                               .burst = 100,
                               .max_waiting = 8,
                               .max_waiting_per_peer = 3,
                               .max_waiting_known = 4};

class ReviewQueueTest : public ::testing::Test {
 protected:
  static net::IpAddress peer(std::uint8_t number) {
    net::IpAddress address{.v4 = true};
    address.bytes[15] = number;
    return address;
  }
  bool add(const std::string& token, std::uint8_t from, bool known = false) {
    return queue.add({.key = net::sha256(token),
                      .known = known,
                      .peer = peer(from),
                      .token = token,
                      .path = "/metrics",
                      .waiter = [this](const Verdict&) { ++told; }});
  }
  // The token of the next one; empty: none may start.
  std::string next() {
    auto review = queue.next(now);
    return review ? review->token : "";
  }
  void finish(const std::string& token) {
    for (const auto& waiter : queue.finish(net::sha256(token))) waiter({});
  }

  Timestamp now = Timestamp::from_nanoseconds(kNanosecondsPerSecond);
  ReviewQueue queue{kLimits};
  int told = 0;
};

TEST_F(ReviewQueueTest, RunsFewAtATime) {
  for (const char* token : {"a", "b", "c"}) EXPECT_TRUE(add(token, 1));
  EXPECT_EQ(next(), "a");
  EXPECT_EQ(next(), "b");
  EXPECT_EQ(next(), "");
  EXPECT_EQ(queue.wait_ns(kHour), kHour);
  finish("b");
  EXPECT_EQ(next(), "c");
  EXPECT_EQ(told, 1);
}

TEST_F(ReviewQueueTest, StartsFewInASecond) {
  queue = ReviewQueue({.max_in_flight = 9, .max_per_second = 10, .burst = 1});
  EXPECT_TRUE(add("a", 1));
  EXPECT_TRUE(add("b", 1));
  EXPECT_EQ(next(), "a");
  EXPECT_EQ(next(), "");
  const Nanoseconds wait = queue.wait_ns(kHour);
  EXPECT_LE(wait, kNanosecondsPerSecond / 10 + 1);
  now = later_by(now, wait / 2);
  EXPECT_EQ(next(), "");
  now = later_by(now, wait);
  EXPECT_EQ(next(), "b");
  EXPECT_EQ(queue.wait_ns(kHour), kHour);
}

TEST_F(ReviewQueueTest, SharesOneReviewAmongEqualRequests) {
  EXPECT_TRUE(add("a", 1));
  EXPECT_TRUE(add("a", 2));
  EXPECT_EQ(next(), "a");
  EXPECT_TRUE(add("a", 3));
  EXPECT_EQ(next(), "");
  finish("a");
  EXPECT_EQ(told, 3);
  EXPECT_TRUE(add("a", 1));
  EXPECT_EQ(next(), "a");
}

TEST_F(ReviewQueueTest, LetsPeersTakeTurns) {
  for (const char* token : {"a", "b", "c"}) EXPECT_TRUE(add(token, 1));
  EXPECT_TRUE(add("x", 2));
  EXPECT_EQ(next(), "a");
  EXPECT_EQ(next(), "x");
  finish("x");
  EXPECT_EQ(next(), "b");
  EXPECT_TRUE(add("y", 2));
  finish("b");
  EXPECT_EQ(next(), "c");
  finish("c");
  EXPECT_EQ(next(), "y");
}

TEST_F(ReviewQueueTest, TakesTokensThatHadTheRightFirst) {
  for (const char* token : {"a", "b", "c"}) EXPECT_TRUE(add(token, 1));
  EXPECT_TRUE(add("good", 1, true)) << "its peer has nothing to do with it";
  EXPECT_EQ(next(), "good");
}

// Clients with made-up tokens from many addresses cannot crowd out Prometheus.
TEST_F(ReviewQueueTest, HasRoomForKnownTokensHoweverManyStrangersWait) {
  for (std::uint8_t from = 1; from <= 8; ++from) EXPECT_TRUE(add(std::to_string(from), from));
  ASSERT_FALSE(add("stranger", 9));
  for (const char* token : {"p", "q", "r", "s"}) EXPECT_TRUE(add(token, 9, true));
  EXPECT_FALSE(add("t", 9, true)) << "their number is bounded too";
  EXPECT_EQ(next(), "p");
  finish("p");
  EXPECT_TRUE(add("t", 9, true));
  EXPECT_FALSE(add("stranger", 9)) << "the places of known tokens are not for strangers";
}

TEST_F(ReviewQueueTest, IsBoundedAlsoForEachPeer) {
  for (const char* token : {"a", "b", "a"}) EXPECT_TRUE(add(token, 1));
  EXPECT_FALSE(add("c", 1));
  EXPECT_FALSE(add("a", 1)) << "requests that share a review count";
  for (const char* token : {"d", "e", "f"}) EXPECT_TRUE(add(token, 2));
  EXPECT_TRUE(add("g", 3));
  EXPECT_TRUE(add("h", 4));
  EXPECT_FALSE(add("i", 5));
  EXPECT_EQ(next(), "a");
  finish("a");
  EXPECT_TRUE(add("i", 5));
  EXPECT_TRUE(add("c", 1));
}

}  // namespace
}  // namespace ebb::runtime
