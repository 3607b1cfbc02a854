// How a reflector handles answers that are invalid or out of date.
#include <gtest/gtest.h>

#include "support/control/reflector_scene.h"

namespace ebb::control {
namespace {

using namespace testing::reflecting;  // NOLINT(google-build-using-namespace)

TEST_F(ReflectorTest, AnObjectThatMakesNoSenseDoesNotStopTheOthers) {
  sync();
  hear(event("MODIFIED", R"({"metadata":{"name":"a","namespace":"shop","uid":"u-a","labels":7}})") +
       event("ADDED", pod("c", 12)));
  EXPECT_EQ(names(), Texts({"a@7", "b@3", "c@12"}));
  EXPECT_EQ(heard.errors, Texts({"pods: Pod shop/a: metadata.labels: expected an object, got a "
                                 "number; its last known state is kept"}));
  EXPECT_FALSE(reflector.wants_cancel());
}

TEST_F(ReflectorTest, GivesUpAStreamThatMakesNoSenseAndListsAgain) {
  for (const char* nonsense : {"what?\n", "{\"type\":\"ODD\",\"object\":{}}\n", "{}\n"}) {
    SetUp();
    pass(200);
    const std::string asked = ask();
    ASSERT_TRUE(asked.starts_with("stream")) << asked;
    hear(nonsense);
    EXPECT_TRUE(reflector.wants_cancel()) << nonsense;
    hear(event("ADDED", pod("d", 100)));
    EXPECT_EQ(names(), Texts());
    reflector.cancelled(now);
  }
  EXPECT_EQ(heard.counts[Count::kRelists], 3);
}

TEST_F(ReflectorTest, NeverGoesBackToAServerThatIsBehind) {
  sync();
  hear(expired());
  reflector.cancelled(now);
  ASSERT_EQ(ask(), kStreamingList);
  hear(event("ADDED", pod("a", 6)) + event("ADDED", pod("c", 5)) + bookmark(9, true));
  EXPECT_TRUE(reflector.wants_cancel());
  reflector.cancelled(now);
  EXPECT_EQ(names(), Texts({"a@7", "b@3"}));
  ASSERT_EQ(ask(), "wait");
  ASSERT_EQ(ask(), kStreamingList);
  answer(422);
  ASSERT_EQ(ask(), kFirstPage);
  answer(200, page(9, {pod("a", 6)}));
  EXPECT_EQ(names(), Texts({"a@7", "b@3"}));
  ASSERT_EQ(ask(), "wait");
  ASSERT_EQ(ask(), kFirstPage);
  answer(200, page(11, {pod("a", 7)}));
  EXPECT_EQ(names(), Texts({"a@7"}));
}

TEST_F(ReflectorTest, BelievesThatTheStorageWentBackAfterAMinuteOfOldLists) {
  sync();
  // A watch from a future revision is silent, except for bookmarks.
  hear(bookmark(4));
  EXPECT_TRUE(reflector.wants_cancel());
  reflector.cancelled(now);
  const Timestamp begin = now.mono;
  int lists = 0;
  while (!reflector.went_back(now)) {
    const std::string asked = ask();
    if (asked == "wait") continue;
    ASSERT_EQ(asked, kStreamingList);
    hear(event("ADDED", pod("a", 2)) + bookmark(5, true));
    reflector.cancelled(now);
    ASSERT_LT(++lists, 30);
  }
  EXPECT_GE(lists, 5);
  EXPECT_GE(elapsed_ns(begin, now.mono), 60 * kNanosecondsPerSecond);
  EXPECT_LE(elapsed_ns(begin, now.mono), 120 * kNanosecondsPerSecond);
  EXPECT_EQ(names(), Texts({"a@7", "b@3"}));
}

TEST_F(ReflectorTest, ForgivesOldListsOnceAGoodOneComes) {
  sync();
  hear(bookmark(4));
  reflector.cancelled(now);
  for (int i = 0; i < 4; ++i) {
    pass(100);
    ASSERT_EQ(ask(), kStreamingList);
    hear(bookmark(5, true));
    reflector.cancelled(now);
  }
  pass(100);
  ASSERT_EQ(ask(), kStreamingList);
  hear(bookmark(12, true));
  EXPECT_FALSE(reflector.went_back(now));
  EXPECT_EQ(names(), Texts());
  hear(bookmark(4));
  reflector.cancelled(now);
  pass(100);
  ASSERT_EQ(ask(), kStreamingList);
  hear(bookmark(5, true));
  EXPECT_FALSE(reflector.went_back(now));
}

TEST_F(ReflectorTest, RefusesAListThatSaysNothingOfItsRevision) {
  ASSERT_EQ(ask(), kStreamingList);
  answer(400);
  for (const std::string& body :
       {page(0, {}), std::string("{}"), std::string("oops"),
        std::string(R"({"metadata":{"resourceVersion":"5"},"items":[)")}) {
    ASSERT_EQ(ask(), kFirstPage);
    answer(200, body);
    EXPECT_FALSE(reflector.synced());
    ASSERT_EQ(ask(), "wait");
  }
}

}  // namespace
}  // namespace ebb::control
