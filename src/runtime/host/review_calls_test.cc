#include "runtime/host/review_calls.h"

#include <gtest/gtest.h>

namespace ebb::runtime {
namespace {

Timestamp at(int seconds) { return Timestamp::from_seconds(seconds); }

class ReviewCallsTest : public ::testing::Test {
 protected:
  ReviewCallsTest() {
    calls.set_wake([this] { ++woken; });
  }
  std::optional<control::ReviewId> put(const std::string& body, int deadline = 100) {
    return calls.put(body, at(deadline),
                     [this](std::string answer) { answers.push_back(std::move(answer)); });
  }

  int woken = 0;
  std::vector<std::string> answers;
  ReviewCalls calls{2};
};

TEST_F(ReviewCallsTest, PassesReviewsAndAnswers) {
  const auto id = put("review");
  ASSERT_TRUE(id);
  EXPECT_EQ(woken, 1);
  const auto events = calls.take(at(1));
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].review, *id);
  EXPECT_EQ(events[0].text, "review");
  EXPECT_TRUE(calls.take(at(1)).empty());
  calls.answer({.id = *id, .body = "answer"});
  calls.answer({.id = *id, .body = "again"});
  EXPECT_EQ(answers, std::vector<std::string>{"answer"});
  calls.drop(*id);  // the connection ends after the answer
  EXPECT_TRUE(calls.take(at(200)).empty());
}

TEST_F(ReviewCallsTest, DropsAReviewWhoseClientIsGone) {
  const auto id = put("review");
  calls.drop(*id);
  const auto events = calls.take(at(1));
  ASSERT_EQ(events.size(), 2U);
  EXPECT_FALSE(events[0].dropped);
  EXPECT_TRUE(events[1].dropped);
  calls.answer({.id = *id, .body = "late"});
  EXPECT_TRUE(answers.empty());
}

TEST_F(ReviewCallsTest, DropsAReviewWhoseTimeIsOver) {
  const auto id = put("review", 5);
  EXPECT_EQ(calls.wake_at(), at(5));
  EXPECT_EQ(calls.take(at(4)).size(), 1U);
  const auto events = calls.take(at(5));
  ASSERT_EQ(events.size(), 1U);
  EXPECT_TRUE(events[0].dropped);
  EXPECT_EQ(events[0].review, *id);
  calls.answer({.id = *id, .body = "late"});
  EXPECT_TRUE(answers.empty());
  EXPECT_TRUE(calls.wake_at().is_zero());
}

TEST_F(ReviewCallsTest, RefusesMoreThanItsLimit) {
  const auto first = put("a");
  EXPECT_TRUE(put("b"));
  EXPECT_FALSE(put("c"));
  calls.answer({.id = *first, .body = "done"});
  EXPECT_TRUE(put("d"));
}

TEST_F(ReviewCallsTest, PassesCertificatesOn) {
  calls.set_ca_bundle("pem");
  const auto events = calls.take(at(1));
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].review, 0U);
  EXPECT_EQ(events[0].text, "pem");
}

}  // namespace
}  // namespace ebb::runtime
