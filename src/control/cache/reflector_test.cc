#include "control/cache/reflector.h"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include "support/control/reflector_scene.h"
#include "support/objects/wire_encoder.h"

namespace ebb::control {
namespace {

namespace json = boost::json;
using namespace testing::reflecting;  // NOLINT(google-build-using-namespace)

TEST_F(ReflectorTest, StartsWithAStreamingListThatBecomesAWatch) {
  ASSERT_EQ(ask(), kStreamingList);
  EXPECT_EQ(accept, "application/vnd.kubernetes.protobuf,application/json");
  EXPECT_EQ(ask(), "nothing");
  hear(event("ADDED", pod("a", 7)));
  hear(event("ADDED", pod("b", 3)));
  hear(bookmark(5));
  EXPECT_FALSE(reflector.synced());
  EXPECT_EQ(store.seen(Resource::kPods), 0U);
  hear(bookmark(10, true));
  EXPECT_TRUE(reflector.synced());
  EXPECT_EQ(store.seen(Resource::kPods), 10U);
  hear(event("MODIFIED", pod("a", 12)));
  hear(event("DELETED", pod("b", 13)));
  EXPECT_EQ(names(), Texts({"a@12"}));
  EXPECT_EQ(store.seen(Resource::kPods), 13U);
  EXPECT_EQ(heard.counts[Count::kLists], 1);
  EXPECT_EQ(heard.counts[Count::kWatches], 1) << "the stream goes on as one";
}

TEST_F(ReflectorTest, WatchesOnFromTheLastPlaceWhenAWatchIsOver) {
  sync();
  hear(event("MODIFIED", pod("a", 12)));
  over(Outcome::kEnded);
  ASSERT_EQ(ask(), watch_from(12));
  hear(bookmark(20));
  over(Outcome::kEnded);
  ASSERT_EQ(ask(), watch_from(20));
  pass(400);
  over(Outcome::kEnded);
  EXPECT_EQ(ask(), watch_from(20));
  EXPECT_EQ(heard.counts[Count::kWatches], 4);
  EXPECT_EQ(heard.counts[Count::kWatchErrors], 0);
  EXPECT_EQ(heard.counts[Count::kLists], 1);
}

TEST_F(ReflectorTest, SaysSinceWhenItsWatchIsDisconnected) {
  sync();
  EXPECT_TRUE(reflector.down_since(now).is_zero());
  over(Outcome::kEnded);
  ASSERT_EQ(ask(), watch_from(10));
  EXPECT_TRUE(reflector.down_since(now).is_zero());
  over(Outcome::kNotSent);
  const Timestamp failed = now.mono;
  EXPECT_EQ(reflector.down_since(now), failed);
  EXPECT_EQ(ask(), "wait");
  ASSERT_EQ(ask(), watch_from(10));
  over(Outcome::kNotSent);
  EXPECT_EQ(reflector.down_since(now), failed) << "not since the last failure";
  EXPECT_EQ(ask(), "wait");
  ASSERT_EQ(ask(), watch_from(10));
  pass(4);
  EXPECT_EQ(reflector.down_since(now), failed);
  // A quiet watch is connected.
  pass(1);
  EXPECT_TRUE(reflector.down_since(now).is_zero());
  hear(bookmark(20));
  over(Outcome::kUnknown);
  EXPECT_EQ(reflector.down_since(now), now.mono);
}

TEST_F(ReflectorTest, ListsInPagesWhereStreamingListsAreUnknownAndRemembersIt) {
  ASSERT_EQ(ask(), kStreamingList);
  answer(422);
  ASSERT_EQ(ask(), kFirstPage);
  answer(200, page(10, {pod("a", 7)}, "next/page=="));
  EXPECT_FALSE(reflector.synced());
  ASSERT_EQ(ask(), std::string(kFirstPage) + "&continue=next%2Fpage%3D%3D");
  answer(200, page(10, {pod("b", 8)}));
  EXPECT_TRUE(reflector.synced());
  ASSERT_EQ(ask(), watch_from(10));
  EXPECT_EQ(names(), Texts({"a@7", "b@8"}));
  answer(410);
  EXPECT_EQ(ask(), kFirstPage);
  EXPECT_EQ(heard.counts[Count::kStreamingListRefused], 1);
  EXPECT_EQ(heard.counts[Count::kRelists], 1);
}

TEST_F(ReflectorTest, RestartsAListWhoseTokenHasExpired) {
  ASSERT_EQ(ask(), kStreamingList);
  answer(405);
  ASSERT_EQ(ask(), kFirstPage);
  answer(200, page(10, {pod("a", 7), pod("b", 8)}, "t"));
  ASSERT_EQ(ask(), std::string(kFirstPage) + "&continue=t");
  answer(410);
  ASSERT_EQ(ask(), kFirstPage);
  answer(200, page(20, {pod("b", 8)}));
  EXPECT_EQ(names(), Texts({"b@8"}));
  EXPECT_EQ(ask(), watch_from(20));
}

TEST_F(ReflectorTest, RestartsAListWhoseTokenIsRefused) {
  ASSERT_EQ(ask(), kStreamingList);
  answer(405);
  ASSERT_EQ(ask(), kFirstPage);
  answer(200, page(10, {pod("a", 7)}, "t"));
  ASSERT_EQ(ask(), std::string(kFirstPage) + "&continue=t");
  answer(400);
  ASSERT_EQ(ask(), "wait");
  EXPECT_EQ(ask(), kFirstPage);
}

TEST_F(ReflectorTest, AsksForTheSamePageAgainWhenTheServerFails) {
  ASSERT_EQ(ask(), kStreamingList);
  answer(400);
  ASSERT_EQ(ask(), kFirstPage);
  answer(200, page(10, {pod("a", 7)}, "t"));
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(ask(), std::string(kFirstPage) + "&continue=t");
    if (i == 0) answer(500);
    if (i == 1) over(Outcome::kUnknown);
    if (i == 2) over(Outcome::kNotSent);
    ASSERT_EQ(ask(), "wait");
  }
  ASSERT_EQ(ask(), std::string(kFirstPage) + "&continue=t");
  answer(200, page(10, {}));
  EXPECT_EQ(names(), Texts({"a@7"}));
}

TEST_F(ReflectorTest, ListsAgainAfterA410InAnyForm) {
  sync();
  hear(expired());
  EXPECT_TRUE(reflector.wants_cancel());
  reflector.cancelled(now);
  EXPECT_FALSE(reflector.wants_cancel());
  ASSERT_EQ(ask(), kStreamingList);
  EXPECT_TRUE(reflector.synced());
  hear(event("ADDED", pod("b", 3)) + event("ADDED", pod("c", 15)));
  EXPECT_EQ(names(), Texts({"a@7", "b@3", "c@15"}));
  hear(bookmark(30, true));
  EXPECT_EQ(names(), Texts({"b@3", "c@15"}));
  // The second time it waits, so that it cannot go round and round.
  pass(5);
  hear(expired());
  over(Outcome::kEnded);
  ASSERT_EQ(ask(), "wait");
  ASSERT_EQ(ask(), kStreamingList);
  EXPECT_EQ(heard.counts[Count::kRelists], 2);
}

TEST_F(ReflectorTest, WatchesOnAfterOtherFailuresWithoutListing) {
  sync();
  over(Outcome::kUnknown);
  EXPECT_EQ(ask(), "wait");
  EXPECT_GE(waited_s, 0.8);
  EXPECT_LE(waited_s, 1.6);
  ASSERT_EQ(ask(), watch_from(10));
  answer(429, "", 7);
  EXPECT_EQ(ask(), "wait");
  EXPECT_DOUBLE_EQ(waited_s, 7);
  ASSERT_EQ(ask(), watch_from(10));
  hear(event("ERROR", R"({"kind":"Status","code":500,"reason":"InternalError","message":"x"})"));
  over(Outcome::kEnded);
  EXPECT_EQ(ask(), "wait");
  ASSERT_EQ(ask(), watch_from(10));
  EXPECT_EQ(heard.counts[Count::kWatchErrors], 3);
  EXPECT_EQ(heard.counts[Count::kLists], 1);
}

TEST_F(ReflectorTest, ListsInPagesWhereTheServerFailsToStreamAList) {
  ASSERT_EQ(ask(), kStreamingList);
  hear(event("ERROR",
             R"({"kind":"Status","code":500,"reason":"InternalError","message":"no progress"})"));
  over(Outcome::kEnded);
  EXPECT_EQ(ask(), kFirstPage);
  EXPECT_EQ(heard.counts[Count::kStreamingListRefused], 1);
}

TEST_F(ReflectorTest, WaitsLongerWithEachFailureAndStartsOverAfterTwoQuietMinutes) {
  sync();
  over(Outcome::kNotSent);
  double base = 0.8;
  for (int i = 0; i < 8; ++i) {
    ASSERT_EQ(ask(), "wait");
    EXPECT_GE(waited_s, base) << i;
    EXPECT_LE(waited_s, 2 * base) << i;
    base = std::min(2 * base, 30.0);
    ASSERT_EQ(ask(), watch_from(10));
    over(Outcome::kNotSent);
  }
  ASSERT_EQ(ask(), "wait");
  ASSERT_EQ(ask(), watch_from(10));
  pass(121);
  over(Outcome::kUnknown);
  ASSERT_EQ(ask(), "wait");
  EXPECT_LE(waited_s, 1.6);
}

TEST_F(ReflectorTest, AWatchThatIsOverAtOnceHasFailed) {
  sync();
  hear(event("MODIFIED", pod("a", 12)));
  over(Outcome::kEnded);
  ASSERT_EQ(ask(), watch_from(12));
  hear(bookmark(12));
  over(Outcome::kEnded);
  EXPECT_EQ(ask(), "wait");
  EXPECT_EQ(heard.counts[Count::kWatchErrors], 1);
}

TEST_F(ReflectorTest, ContinuesInJsonIfTheServerHasNoProtobuf) {
  ASSERT_EQ(ask(), kStreamingList);
  answer(406);
  ASSERT_EQ(ask(), kStreamingList);
  EXPECT_EQ(accept, "application/json");
  hear(bookmark(10, true));
  over(Outcome::kEnded);
  ASSERT_EQ(ask(), watch_from(10));
  EXPECT_EQ(accept, "application/json");
}

TEST_F(ReflectorTest, ReadsProtobufStreamsCutAnywhere) {
  ASSERT_EQ(ask(), kStreamingList);
  std::string bytes;
  for (const std::string& line :
       {event("ADDED", pod("a", 7)), event("ADDED", pod("b", 8)), bookmark(10, true),
        event("DELETED", pod("a", 12)), bookmark(15), expired()}) {
    bytes += testing::encode_event(json::parse(line).as_object());
  }
  for (const char& byte : bytes) hear({&byte, 1});
  EXPECT_EQ(names(), Texts({"b@8"}));
  EXPECT_EQ(store.seen(Resource::kPods), 15U);
  EXPECT_TRUE(reflector.wants_cancel());
  over(Outcome::kEnded);
  EXPECT_EQ(ask(), kStreamingList);
}

TEST_F(ReflectorTest, ReadsPagesInProtobuf) {
  ASSERT_EQ(ask(), kStreamingList);
  answer(400);
  ASSERT_EQ(ask(), kFirstPage);
  answer(200, testing::encode_pod_list(json::parse(page(10, {pod("a", 7)}, "t")).as_object()));
  ASSERT_EQ(ask(), std::string(kFirstPage) + "&continue=t");
  answer(200, testing::encode_pod_list(json::parse(page(10, {pod("b", 8)})).as_object()));
  EXPECT_EQ(names(), Texts({"a@7", "b@8"}));
  EXPECT_EQ(ask(), watch_from(10));
}

TEST_F(ReflectorTest, TriesPagesAfterStreamingListsThatDoNotComeToTheirEnd) {
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(ask(), kStreamingList);
    hear(event("ADDED", pod("a", 7)));
    over(i == 1 ? Outcome::kUnknown : Outcome::kEnded);
    ASSERT_EQ(ask(), "wait");
  }
  EXPECT_EQ(ask(), kFirstPage);
}

TEST_F(ReflectorTest, KeepsTryingToStreamWhileThereIsNoConnection) {
  for (int i = 0; i < 10; ++i) {
    ASSERT_EQ(ask(), kStreamingList);
    over(Outcome::kNotSent);
    ASSERT_EQ(ask(), "wait");
  }
  EXPECT_EQ(ask(), kStreamingList);
}

// A resource that need not be there.
struct OptionalReflectorTest : ReflectorTest {
  OptionalReflectorTest() {
    reflector = Reflector({.resource = Resource::kPods, .optional = true}, store, heard);
  }
};

TEST_F(OptionalReflectorTest, AMissingResourceIsNotWaitedForAndIsTriedAgain) {
  for (const int code : {404, 403}) {
    reflector = Reflector({.resource = Resource::kPods, .optional = true}, store, heard);
    EXPECT_EQ(ask(), kStreamingList);
    EXPECT_FALSE(reflector.synced());
    answer(code);
    EXPECT_TRUE(reflector.synced());
    EXPECT_EQ(ask(), "wait");
    EXPECT_GE(waited_s, 30);
    EXPECT_LE(waited_s, 40);
    EXPECT_EQ(ask(), kStreamingList);
    answer(code);
    EXPECT_EQ(ask(), "wait");
    EXPECT_GE(waited_s, 60);
    for (int i = 0; i < 10; ++i) {
      EXPECT_EQ(ask(), kStreamingList);
      answer(code);
      EXPECT_EQ(ask(), "wait");
    }
    EXPECT_LE(waited_s, 375);
  }
}

TEST_F(OptionalReflectorTest, AResourceInstalledLaterIsSeen) {
  EXPECT_EQ(ask(), kStreamingList);
  answer(404);
  EXPECT_EQ(ask(), "wait");
  EXPECT_EQ(ask(), kStreamingList);
  hear(event("ADDED", pod("a", 3)));
  hear(bookmark(10, true));
  EXPECT_NE(store.pod("shop", "a"), nullptr);
  over(Outcome::kEnded);
  EXPECT_EQ(ask(), watch_from(10));
}

TEST_F(OptionalReflectorTest, AResourceIsForgottenOnlyIfItStaysAway) {
  EXPECT_EQ(ask(), kStreamingList);
  hear(event("ADDED", pod("a", 3)));
  hear(bookmark(10, true));
  over(Outcome::kUnknown);
  EXPECT_EQ(ask(), "wait");
  EXPECT_EQ(ask(), watch_from(10));
  answer(404);
  EXPECT_NE(store.pod("shop", "a"), nullptr);
  EXPECT_EQ(ask(), "wait");
  EXPECT_EQ(ask(), kStreamingList);
  answer(404);
  EXPECT_EQ(store.pod("shop", "a"), nullptr);
  // It was there all the time.
  EXPECT_EQ(ask(), "wait");
  EXPECT_EQ(ask(), kStreamingList);
  hear(event("ADDED", pod("a", 3)));
  hear(bookmark(10, true));
  EXPECT_NE(store.pod("shop", "a"), nullptr);
}

TEST_F(OptionalReflectorTest, WhatKeepsFailingIsNotWaitedForEither) {
  for (int i = 0; i < 5; ++i) {
    EXPECT_FALSE(reflector.synced());
    EXPECT_EQ(ask(), kStreamingList);
    answer(500);
    EXPECT_EQ(ask(), "wait");
  }
  EXPECT_TRUE(reflector.synced());
}

}  // namespace
}  // namespace ebb::control
