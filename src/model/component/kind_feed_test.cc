#include "model/component/kind_feed.h"

#include <vector>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "schema/core/json.h"

namespace ebb::model {
namespace {

constexpr std::string_view kFromTheStart =
    "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";

std::string event(std::string_view type, std::string_view name, std::string_view uid,
                  int revision) {
  return fmt::format(
      R"({{"type":"{}","object":{{"kind":"Pod","metadata":{{"name":"{}","namespace":"shop",)"
      R"("uid":"{}","resourceVersion":"{}"}}}}}})"
      "\n",
      type, name, uid, revision);
}

std::string end_of_listing(int revision) {
  return fmt::format(
      R"({{"type":"BOOKMARK","object":{{"metadata":{{"resourceVersion":"{}","annotations":)"
      R"({{"k8s.io/initial-events-end":"true"}}}}}}}})"
      "\n",
      revision);
}

constexpr std::string_view kTooOld = R"({"type":"ERROR","object":{"code":410}})"
                                     "\n";

class KindFeedTest : public ::testing::Test {
 protected:
  void take(const std::string& text) {
    understood = feed.take(text, [&](const ObjectEvent& told) {
      const char* what = told.type == ObjectEvent::Type::kAdded      ? "added"
                         : told.type == ObjectEvent::Type::kModified ? "modified"
                                                                     : "deleted";
      seen.push_back(fmt::format("{} {}/{} {}", what,
                                 schema::text_at(*told.object, {"metadata", "namespace"}),
                                 schema::text_at(*told.object, {"metadata", "name"}),
                                 schema::text_at(*told.object, {"metadata", "uid"})));
    });
  }
  [[nodiscard]] std::vector<std::string> take_seen() { return std::exchange(seen, {}); }

  KindFeed feed{*schema::find_kind("", "v1", "pods")};
  std::vector<std::string> seen;
  bool understood = true;
};

using Lines = std::vector<std::string>;

TEST_F(KindFeedTest, ListsThenFollows) {
  const ApiRequest request = feed.next_request();
  EXPECT_EQ(request.path, "/api/v1/pods");
  EXPECT_EQ(request.query, kFromTheStart);
  take(event("ADDED", "a", "1", 3) + event("ADDED", "b", "2", 4));
  EXPECT_FALSE(feed.synced());
  take(end_of_listing(9));
  EXPECT_TRUE(feed.synced());
  take(event("MODIFIED", "a", "1", 10) + event("DELETED", "b", "2", 11));
  EXPECT_EQ(take_seen(),
            (Lines{"added shop/a 1", "added shop/b 2", "modified shop/a 1", "deleted shop/b 2"}));
  EXPECT_EQ(feed.next_request().query, "watch=true&resourceVersion=11&allowWatchBookmarks=true");
}

TEST_F(KindFeedTest, TakesAStreamThatIsCutAnywhere) {
  const std::string stream =
      event("ADDED", "a", "1", 3) + end_of_listing(4) + event("MODIFIED", "a", "1", 5);
  static_cast<void>(feed.next_request());
  for (const char c : stream) take(std::string(1, c));
  EXPECT_EQ(take_seen(), (Lines{"added shop/a 1", "modified shop/a 1"}));
}

TEST_F(KindFeedTest, BeginsAgainIfTheListingWasCutOff) {
  static_cast<void>(feed.next_request());
  take(event("ADDED", "a", "1", 3));
  EXPECT_EQ(feed.next_request().query, kFromTheStart);
}

TEST_F(KindFeedTest, ReportsDeletedObjectsAfterListingAgain) {
  static_cast<void>(feed.next_request());
  take(event("ADDED", "gone", "1", 1) + event("ADDED", "kept", "2", 2) +
       event("ADDED", "replaced", "3", 3) + end_of_listing(3));
  static_cast<void>(take_seen());
  take(std::string(kTooOld));
  EXPECT_FALSE(understood);
  EXPECT_EQ(feed.next_request().query, kFromTheStart);
  take(event("ADDED", "kept", "2", 5) + event("ADDED", "replaced", "7", 8) +
       event("ADDED", "new", "9", 9) + end_of_listing(9));
  EXPECT_EQ(take_seen(),
            (Lines{"modified shop/kept 2", "deleted shop/replaced 3", "added shop/replaced 7",
                   "added shop/new 9", "deleted shop/gone 1"}));
}

TEST_F(KindFeedTest, ListsAgainIfTheWatchSendsInvalidEvents) {
  for (const char* nonsense : {"<html>\n", "[]\n", "{}\n",
                               R"({"type":"ADDED","object":1})"
                               "\n"}) {
    static_cast<void>(feed.next_request());
    take(event("ADDED", "a", "1", 1) + end_of_listing(3));
    EXPECT_TRUE(understood);
    take(nonsense);
    EXPECT_FALSE(understood) << nonsense;
    EXPECT_EQ(feed.next_request().query, kFromTheStart);
  }
}

TEST_F(KindFeedTest, ListsAgainIfItsRevisionIsRefused) {
  static_cast<void>(feed.next_request());
  take(event("ADDED", "a", "1", 1) + end_of_listing(3));
  feed.refused(500);
  EXPECT_NE(feed.next_request().query, kFromTheStart);
  feed.refused(410);
  EXPECT_EQ(feed.next_request().query, kFromTheStart);
}

TEST_F(KindFeedTest, ListsInPagesWhereStreamingListsDoNotComeToTheirEnd) {
  KindFeed paging(*schema::find_kind("", "v1", "pods"), KindFeed::Lists::kStreamingOrPages);
  const auto note = [&](const ObjectEvent& told) {
    seen.emplace_back(schema::text_at(*told.object, {"metadata", "name"}));
  };
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(paging.next_request().query, kFromTheStart);
    EXPECT_FALSE(paging.asked_for_page());
    EXPECT_FALSE(paging.take(kTooOld, note));
  }
  EXPECT_EQ(paging.next_request().query, "limit=500");
  EXPECT_TRUE(paging.asked_for_page());
  EXPECT_TRUE(paging.take_page(
      R"({"metadata":{"resourceVersion":"7","continue":"a/b="},"items":[{"metadata":)"
      R"({"name":"a","uid":"1"}}]})",
      note));
  EXPECT_FALSE(paging.synced());
  EXPECT_EQ(paging.next_request().query, "limit=500&continue=a%2Fb%3D");
  EXPECT_TRUE(paging.take_page(
      R"({"metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"b","uid":"2"}}]})",
      note));
  EXPECT_TRUE(paging.synced());
  EXPECT_EQ(take_seen(), (Lines{"a", "b"}));
  EXPECT_EQ(paging.next_request().query, "watch=true&resourceVersion=7&allowWatchBookmarks=true");
  // Then objects that were on no page count as deleted.
  paging.refused(410);
  EXPECT_EQ(paging.next_request().query, "limit=500");
  EXPECT_TRUE(paging.take_page(R"({"metadata":{"resourceVersion":"9"},"items":[]})", note));
  EXPECT_EQ(take_seen(), (Lines{"a", "b"}));
}

TEST_F(KindFeedTest, ListsInPagesAtOnceWhereStreamingListsAreRefused) {
  const auto& pods = *schema::find_kind("", "v1", "pods");
  KindFeed refusing(pods, KindFeed::Lists::kStreamingOrPages);
  EXPECT_EQ(refusing.next_request().query, kFromTheStart);
  refusing.refused(422);
  EXPECT_EQ(refusing.next_request().query, "limit=500");

  // The server accepts the request, and then its storage refuses it.
  KindFeed failing(pods, KindFeed::Lists::kStreamingOrPages);
  static_cast<void>(failing.next_request());
  EXPECT_FALSE(failing.take("{\"type\":\"ERROR\",\"object\":{\"code\":500}}\n", {}));
  EXPECT_EQ(failing.next_request().query, "limit=500");
}

TEST_F(KindFeedTest, DoesNotTakeAServerThatIsAwayForOneWithoutStreamingLists) {
  KindFeed away(*schema::find_kind("", "v1", "pods"), KindFeed::Lists::kStreamingOrPages);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(away.next_request().query, kFromTheStart);
    away.refused(503);
  }
}

TEST_F(KindFeedTest, RestartsAListWhoseTokenHasExpired) {
  KindFeed paging(*schema::find_kind("", "v1", "pods"), KindFeed::Lists::kStreamingOrPages);
  static_cast<void>(paging.next_request());
  paging.refused(400);
  static_cast<void>(paging.next_request());
  EXPECT_TRUE(paging.take_page(R"({"metadata":{"continue":"x"},"items":[]})", {}));
  EXPECT_EQ(paging.next_request().query, "limit=500&continue=x");
  paging.refused(410);
  EXPECT_EQ(paging.next_request().query, "limit=500");
  EXPECT_TRUE(paging.take_page(R"({"metadata":{"continue":"y"},"items":[]})", {}));
  paging.refused(400);  // the token makes no sense to the server
  EXPECT_EQ(paging.next_request().query, "limit=500");
  EXPECT_FALSE(paging.take_page("<html>", {}));
  EXPECT_FALSE(paging.synced());
}

}  // namespace
}  // namespace ebb::model
