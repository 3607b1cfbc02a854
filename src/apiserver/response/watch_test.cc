// Watches: what they show, where they start, and when they end.
#include <gtest/gtest.h>

#include "schema/core/json.h"
#include "support/apiserver/api_server_scene.h"

namespace ebb::apiserver {
namespace {

using ebb::testing::ApiServerScene;
using ebb::testing::config_map_json;
using Lines = std::vector<std::string>;

constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";

std::string with(std::string_view query) {
  return std::string(kMaps) + "?watch=1&" + std::string(query);
}

std::string labelled(std::string_view name, std::string_view label) {
  return R"({"metadata":{"name":")" + std::string(name) + R"(","labels":{"x":")" +
         std::string(label) + R"("}}})";
}

// The line that ApiServerScene::events() gives for an object as it was just written.
std::string line(std::string_view type, const ApiServerScene::Answer& written) {
  return std::string(type) + " " + written.text("metadata/name") + " " +
         written.text("metadata/resourceVersion");
}

std::string now_of(const ApiServerScene& cluster) {
  return std::to_string(cluster.server.published());
}

TEST(Watch, ShowsEachChangeOnceAndInOrder) {
  ApiServerScene cluster;
  auto watch = cluster.watch(with("resourceVersion=" + now_of(cluster)));
  const auto made = cluster.post(kMaps, config_map_json("a"));
  const auto changed = cluster.put(std::string(kMaps) + "/a", config_map_json("a", "y"));
  EXPECT_EQ(cluster.events(*watch), (Lines{line("ADDED", made), line("MODIFIED", changed)}));
  cluster.remove(std::string(kMaps) + "/a");
  EXPECT_EQ(cluster.events(*watch), Lines{"DELETED a " + now_of(cluster)});
  EXPECT_EQ(cluster.events(*watch), Lines{});
}

TEST(Watch, OfOtherNamespacesAndKindsSeesNothing) {
  ApiServerScene cluster;
  auto watch = cluster.watch(with("resourceVersion=" + now_of(cluster)));
  cluster.post("/api/v1/namespaces/kube-system/configmaps", config_map_json("a"));
  cluster.post("/api/v1/namespaces/default/secrets", R"({"metadata":{"name":"s"}})");
  EXPECT_EQ(cluster.events(*watch), Lines{});
}

TEST(Watch, WithoutARevisionStartsWithWhatThereIs) {
  ApiServerScene cluster;
  const auto a = cluster.post(kMaps, config_map_json("a"));
  auto watch = cluster.watch(with(""));
  const auto b = cluster.post(kMaps, config_map_json("b"));
  EXPECT_EQ(cluster.events(*watch), (Lines{line("ADDED", a), line("ADDED", b)}));
}

TEST(Watch, ShowsObjectsThatEnterAndLeaveTheSelection) {
  ApiServerScene cluster;
  const auto a = cluster.post(kMaps, labelled("a", "1"));
  auto watch = cluster.watch(with("labelSelector=x%3D1&resourceVersion=" + now_of(cluster)));
  const auto left = cluster.put(std::string(kMaps) + "/a", labelled("a", "2"));
  EXPECT_EQ(cluster.events(*watch), Lines{line("DELETED", left)});
  cluster.put(std::string(kMaps) + "/a", labelled("a", "3"));
  EXPECT_EQ(cluster.events(*watch), Lines{});
  const auto back = cluster.put(std::string(kMaps) + "/a", labelled("a", "1"));
  EXPECT_EQ(cluster.events(*watch), Lines{line("ADDED", back)});
}

TEST(Watch, ShowsWhatLeftTheSelectionAsItWas) {
  ApiServerScene cluster;
  cluster.post(kMaps, labelled("a", "1"));
  auto watch = cluster.watch(with("labelSelector=x%3D1&resourceVersion=" + now_of(cluster)));
  cluster.put(std::string(kMaps) + "/a", labelled("a", "2"));
  const auto events = cluster.raw_events(*watch);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(schema::text_at(events[0], {"object", "metadata", "labels", "x"}), "1");
}

TEST(Watch, ThatFellBehindTheHistoryEndsWithAnError) {
  Settings settings;
  settings.history_bytes = 20'000;
  ApiServerScene cluster(settings);
  cluster.post(kMaps, config_map_json("a"));
  auto watch = cluster.watch(with("resourceVersion=" + now_of(cluster)));
  for (int i = 0; i < 200; ++i) {
    cluster.put(std::string(kMaps) + "/a", config_map_json("a", std::to_string(i)));
  }
  EXPECT_EQ(cluster.events(*watch), Lines{"ERROR 410"});
  EXPECT_TRUE(cluster.server.follow(*watch, cluster.now, 1000).ended);
  auto too_old = cluster.watch(with("resourceVersion=5"));
  EXPECT_EQ(cluster.events(*too_old), Lines{"ERROR 410"});
}

TEST(Watch, OfAQuietKindOutlivesABusyOne) {
  Settings settings;
  settings.history_bytes = 20'000;
  ApiServerScene cluster(settings);
  auto watch = cluster.watch("/api/v1/namespaces/default/secrets?watch=1&resourceVersion=" +
                             now_of(cluster));
  const std::string start = now_of(cluster);
  cluster.post(kMaps, config_map_json("a"));
  for (int i = 0; i < 200; ++i) {
    cluster.put(std::string(kMaps) + "/a", config_map_json("a", std::to_string(i)));
  }
  EXPECT_EQ(cluster.events(*watch), Lines{});
  const auto made =
      cluster.post("/api/v1/namespaces/default/secrets", R"({"metadata":{"name":"s"}})");
  EXPECT_EQ(cluster.events(*watch), Lines{line("ADDED", made)});
}

TEST(Bookmarks, TellTheRevisionEveryMinuteAndBeforeTheEnd) {
  ApiServerScene cluster;
  auto watch = cluster.watch(
      with("allowWatchBookmarks=true&timeoutSeconds=100&resourceVersion=" + now_of(cluster)));
  EXPECT_EQ(cluster.events(*watch), Lines{});
  cluster.post("/api/v1/namespaces/default/secrets", R"({"metadata":{"name":"s"}})");
  cluster.pass_seconds(60);
  EXPECT_EQ(cluster.events(*watch), Lines{"BOOKMARK " + now_of(cluster)});
  EXPECT_EQ(cluster.events(*watch), Lines{});
  cluster.pass_seconds(40);
  EXPECT_TRUE(cluster.server.follow(*watch, cluster.now, 1000).ended);
}

TEST(Bookmarks, AreSentShortlyBeforeAShortWatchEnds) {
  ApiServerScene cluster;
  auto watch = cluster.watch(
      with("allowWatchBookmarks=true&timeoutSeconds=10&resourceVersion=" + now_of(cluster)));
  const Timestamp wake = cluster.server.follow(*watch, cluster.now, 1000).wake_at;
  EXPECT_EQ(elapsed_ns(cluster.now, wake), 8 * kNanosecondsPerSecond);
  cluster.now = wake;
  EXPECT_EQ(cluster.events(*watch), Lines{"BOOKMARK " + now_of(cluster)});
}

TEST(StreamingList, SendsEverythingThenABookmarkThenChanges) {
  ApiServerScene cluster;
  const auto a = cluster.post(kMaps, config_map_json("a"));
  const auto b = cluster.post(kMaps, config_map_json("b"));
  const std::string state = now_of(cluster);
  auto watch = cluster.watch(
      with("sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"));
  const auto c = cluster.post(kMaps, config_map_json("c"));
  const auto events = cluster.raw_events(*watch);
  ASSERT_EQ(events.size(), 4U);
  EXPECT_EQ(schema::text_at(events[1], {"object", "metadata", "name"}), "b");
  EXPECT_EQ(schema::text_at(events[2], {"type"}), "BOOKMARK");
  EXPECT_EQ(schema::text_at(events[2], {"object", "metadata", "resourceVersion"}), state);
  EXPECT_EQ(schema::text_at(events[2],
                            {"object", "metadata", "annotations", "k8s.io/initial-events-end"}),
            "true");
  EXPECT_EQ(schema::text_at(events[3], {"object", "metadata", "name"}), "c");
}

TEST(StreamingList, NeedsItsOptionsTogether) {
  ApiServerScene cluster;
  EXPECT_EQ(cluster.get(with("sendInitialEvents=true")).code, 422);
  EXPECT_EQ(cluster.get(std::string(kMaps) + "?sendInitialEvents=true").code, 422);
}

TEST(Watch, GivesPiecesOfTheSizeAskedFor) {
  ApiServerScene cluster;
  for (const char* name : {"a", "b", "c"}) cluster.post(kMaps, config_map_json(name));
  auto watch = cluster.watch(with(""));
  const Frames first = cluster.server.follow(*watch, cluster.now, 1);
  EXPECT_TRUE(first.more);
  const std::string text = first.bytes.str();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
  EXPECT_EQ(cluster.events(*watch).size(), 2U);
}

TEST(Watch, OfTablesSendsColumnsOnce) {
  ApiServerScene cluster;
  model::ApiRequest request;
  request.path = kMaps;
  request.query = "watch=1";
  request.accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
  request.received = cluster.now;
  cluster.post(kMaps, config_map_json("a"));
  cluster.post(kMaps, config_map_json("b"));
  const Reply reply = cluster.server.handle(request, cluster.now);
  ASSERT_TRUE(reply.watch);
  const auto events = cluster.raw_events(*reply.watch);
  ASSERT_EQ(events.size(), 2U);
  EXPECT_FALSE(schema::array_at(events[0], {"object", "columnDefinitions"})->empty());
  EXPECT_TRUE(schema::array_at(events[1], {"object", "columnDefinitions"})->empty());
}

}  // namespace
}  // namespace ebb::apiserver
