#include "control/reflector.h"

#include <map>
#include <string>
#include <vector>

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/wire_encoder.h"

namespace ebb::control {
namespace {

namespace json = boost::json;
using Outcome = Answer::Outcome;
using Texts = std::vector<std::string>;

constexpr const char* kStreamingList =
    "stream /api/v1/pods?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
    "&allowWatchBookmarks=true";
constexpr const char* kFirstPage = "read /api/v1/pods?limit=500";

std::string watch_from(int revision) {
  return fmt::format("stream /api/v1/pods?watch=true&resourceVersion={}&allowWatchBookmarks=true",
                     revision);
}

std::string pod(std::string_view name, int revision) {
  return fmt::format(R"({{"kind":"Pod","metadata":{{"name":"{0}","namespace":"shop","uid":"u-{0}",)"
                     R"("resourceVersion":"{1}"}}}})",
                     name, revision);
}

std::string event(std::string_view type, const std::string& object) {
  return fmt::format("{{\"type\":\"{}\",\"object\":{}}}\n", type, object);
}

std::string bookmark(int revision, bool ends_list = false) {
  return event(
      "BOOKMARK",
      fmt::format(R"({{"kind":"Pod","metadata":{{"resourceVersion":"{}"{}}}}})", revision,
                  ends_list ? R"(,"annotations":{"k8s.io/initial-events-end":"true"})" : ""));
}

std::string expired() {
  return event("ERROR", R"({"kind":"Status","code":410,"reason":"Expired","message":"too old"})");
}

std::string page(int revision, const std::vector<std::string>& items, std::string_view token = "") {
  return fmt::format(R"({{"metadata":{{"resourceVersion":"{}","continue":"{}"}},"items":[{}]}})",
                     revision, token, fmt::join(items, ","));
}

struct Heard : Telemetry {
  void log(Severity severity, int /*verbosity*/, std::string_view text) override {
    if (severity == Severity::kError) errors.emplace_back(text);
  }
  void count(Count what, std::string_view label, std::int64_t by) override {
    EXPECT_EQ(label, "pods");
    counts[what] += by;
  }
  std::map<Count, std::int64_t> counts;
  Texts errors;
};

struct ReflectorTest : ::testing::Test {
  // What it sends now, without the random timeout, or `wait` and for how long.
  std::string ask() {
    const auto wanted = reflector.take_wanted(now);
    if (!wanted) {
      if (reflector.wake_at().is_zero()) return "nothing";
      waited_s = static_cast<double>(elapsed_ns(now.mono, reflector.wake_at())) / 1e9;
      now.mono = reflector.wake_at();
      return "wait";
    }
    EXPECT_EQ(wanted->request.method, model::Method::kGet);
    EXPECT_GT(wanted->deadline_ns, 0);
    accept = wanted->request.accept;
    std::string query = wanted->request.query;
    if (const auto at = query.find("&timeoutSeconds="); at != std::string::npos) {
      const int seconds = std::stoi(query.substr(at + 16));
      EXPECT_GE(seconds, 300);
      EXPECT_LT(seconds, 600);
      query.resize(at);
    }
    return fmt::format("{} {}?{}", wanted->kind == Call::Kind::kStream ? "stream" : "read",
                       wanted->request.path, query);
  }
  void hear(std::string_view bytes) { reflector.received(bytes, now); }
  void answer(int code, std::string body = "", int retry_after = 0) {
    Answer made;
    made.response.code = code;
    made.response.body = Bytes(std::move(body));
    made.response.retry_after_seconds = retry_after;
    reflector.answered(made, now);
  }
  void over(Outcome outcome) {
    Answer made;
    made.outcome = outcome;
    reflector.answered(made, now);
  }
  void pass(double seconds) {
    now.mono = Timestamp::from_nanoseconds(now.mono.since_epoch_ns() +
                                           static_cast<Nanoseconds>(seconds * 1e9));
  }
  // Up to a watch from revision 10, with the pods a and b.
  void sync() {
    ASSERT_EQ(ask(), kStreamingList);
    hear(event("ADDED", pod("a", 7)) + event("ADDED", pod("b", 3)) + bookmark(10, true));
    ASSERT_TRUE(reflector.synced());
  }
  Texts names() {
    Texts found;
    for (const char* name : {"a", "b", "c", "d"}) {
      const Pod* held = store.pod("shop", name);
      if (held != nullptr) found.push_back(fmt::format("{}@{}", name, held->revision));
    }
    return found;
  }

  Store store;
  Heard heard;
  Reflector reflector{{.resource = Resource::kPods, .protobuf = true, .seed = 3}, store, heard};
  Now now{Timestamp::from_seconds(1'790'000'000), Timestamp::from_seconds(1000)};
  std::string accept;
  double waited_s = 0;
};

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
  EXPECT_EQ(heard.counts[Count::kWatches], 0);
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
  EXPECT_EQ(heard.counts[Count::kWatches], 3);
  EXPECT_EQ(heard.counts[Count::kWatchErrors], 0);
  EXPECT_EQ(heard.counts[Count::kLists], 1);
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

TEST_F(ReflectorTest, StartsAListAgainWhoseTokenHasExpired) {
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

TEST_F(ReflectorTest, StartsAListAgainWhoseTokenIsNotUnderstood) {
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

TEST_F(ReflectorTest, ListsAgainAfterA410HoweverItIsTold) {
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

TEST_F(ReflectorTest, GoesOnInJsonWhereThereIsNoProtobuf) {
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

TEST_F(ReflectorTest, AnObjectThatMakesNoSenseDoesNotStopTheOthers) {
  sync();
  hear(event("MODIFIED", R"({"metadata":{"name":"a","namespace":"shop","uid":"u-a","labels":7}})") +
       event("ADDED", pod("c", 12)));
  EXPECT_EQ(names(), Texts({"a@7", "b@3", "c@12"}));
  EXPECT_EQ(heard.errors,
            Texts({"pods: Pod shop/a: metadata.labels: expected an object, got a number"}));
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
  // A watch from a revision that is still to come is silent; only its bookmarks tell.
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

TEST_F(OptionalReflectorTest, WhatIsNotThereIsNotWaitedForAndAskedForAgain) {
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

TEST_F(OptionalReflectorTest, WhatIsInstalledLaterIsSeen) {
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

TEST_F(OptionalReflectorTest, WhatIsThereIsForgottenOnlyIfItStaysAway) {
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
