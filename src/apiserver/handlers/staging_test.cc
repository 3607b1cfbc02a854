// Writes that are staged, published, discarded, and restored from a log.
#include <gtest/gtest.h>

#include "support/apiserver/api_server_scene.h"

namespace ebb::apiserver {
namespace {

using ebb::testing::ApiServerScene;
using ebb::testing::config_map_json;

constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";
constexpr std::string_view kA = "/api/v1/namespaces/default/configmaps/a";

TEST(Staging, HidesWritesFromReadersUntilTheyArePublished) {
  ApiServerScene cluster;
  cluster.publishes = false;
  auto watch = cluster.watch(std::string(kMaps) + "?watch=1&resourceVersion=" +
                             std::to_string(cluster.server.published()));
  EXPECT_EQ(cluster.post(kMaps, config_map_json("a")).code, 201);
  EXPECT_EQ(cluster.get(kA).code, 404);
  EXPECT_TRUE(cluster.events(*watch).empty());
  const auto staged = cluster.server.take_staged();
  ASSERT_EQ(staged.size(), 1U);
  cluster.server.publish(staged[0].revision, cluster.now);
  EXPECT_EQ(cluster.get(kA).code, 200);
  EXPECT_EQ(cluster.events(*watch).size(), 1U);
}

TEST(Staging, LetsWritersBuildOnWhatIsStaged) {
  ApiServerScene cluster;
  cluster.publishes = false;
  cluster.post(kMaps, config_map_json("a"));
  EXPECT_EQ(cluster.post(kMaps, config_map_json("a")).code, 409);
  EXPECT_EQ(cluster.put(kA, config_map_json("a", "y")).code, 200);
  EXPECT_EQ(cluster.remove(kA).code, 200);
  EXPECT_EQ(cluster.post(kMaps, config_map_json("a", "z")).code, 201);
  const auto staged = cluster.server.take_staged();
  ASSERT_EQ(staged.size(), 4U);
  EXPECT_TRUE(staged[2].deleted);
  // Published one by one, readers see one state after the other.
  cluster.server.publish(staged[1].revision, cluster.now);
  EXPECT_EQ(cluster.get(kA).text("data/value"), "y");
  EXPECT_EQ(cluster.post(kMaps, config_map_json("a")).code, 409);
  cluster.server.publish(staged[2].revision, cluster.now);
  EXPECT_EQ(cluster.get(kA).code, 404);
  cluster.server.publish(staged[3].revision, cluster.now);
  EXPECT_EQ(cluster.get(kA).text("data/value"), "z");
}

TEST(Staging, TellsAfterWhichRevisionAnAnswerMayBeSent) {
  ApiServerScene cluster;
  model::ApiRequest request;
  request.method = model::Method::kPost;
  request.path = kMaps;
  request.body = config_map_json("a");
  const Reply reply = cluster.server.handle(request, cluster.now);
  EXPECT_EQ(reply.after, cluster.server.published() + 1);
  // An update that changes nothing is answered only when the state that it read is durable.
  request.method = model::Method::kPut;
  request.path = kA;
  EXPECT_EQ(cluster.server.handle(request, cluster.now).after, reply.after);
}

TEST(Discarding, LeavesNothingOfWhatWasStaged) {
  ApiServerScene cluster;
  cluster.post(kMaps, config_map_json("a"));
  const auto before = cluster.get(kMaps).body;
  cluster.publishes = false;
  cluster.put(kA, config_map_json("a", "lost"));
  cluster.post(kMaps, config_map_json("b"));
  EXPECT_EQ(cluster.server.discard(), cluster.server.published());
  EXPECT_TRUE(cluster.server.take_staged().empty());
  EXPECT_EQ(cluster.get(kMaps).body, before);
  cluster.publishes = true;
  // Later writes get revisions that were never used.
  const auto again = cluster.put(kA, config_map_json("a", "kept"));
  EXPECT_EQ(again.code, 200) << again.message();
  EXPECT_EQ(cluster.get(kA).text("data/value"), "kept");
}

// A log as the shell keeps one.
struct Log {
  std::map<Revision, Change> changes;
  Revision history_start = 0;

  void write(ApiServer& server, Timestamp now) {
    for (Change& change : server.take_staged()) {
      const Revision revision = change.revision;
      changes[revision] = std::move(change);
      server.publish(revision, now);
    }
    const CompactedHistory forgotten = server.take_compacted();
    for (const Revision revision : forgotten.revisions) changes.erase(revision);
    history_start = forgotten.history_start;
  }

  [[nodiscard]] ApiServer restored(const Settings& settings) const {
    ApiServer server(settings);
    server.restore_history_start(history_start);
    for (const auto& [revision, change] : changes) EXPECT_TRUE(server.restore(change));
    return server;
  }
};

TEST(Restoring, BringsBackObjectsRevisionsAndHistory) {
  ApiServerScene cluster;
  cluster.publishes = false;
  Log log;
  // The namespaces of every cluster come from before this log.
  ApiServer fresh{Settings{}};
  cluster.server = std::move(fresh);
  cluster.server.bootstrap(cluster.now);
  log.write(cluster.server, cluster.now);
  const Revision start = cluster.server.published();
  for (const char* name : {"a", "b", "c"}) cluster.post(kMaps, config_map_json(name));
  cluster.put(kA, config_map_json("a", "y"));
  cluster.remove(std::string(kMaps) + "/b");
  log.write(cluster.server, cluster.now);

  const auto objects = cluster.get(kMaps).body;
  const std::string from_start =
      std::string(kMaps) + "?watch=1&resourceVersion=" + std::to_string(start);
  const auto events = cluster.events(*cluster.watch(from_start));
  const Revision published = cluster.server.published();

  cluster.server = log.restored({});
  EXPECT_EQ(cluster.server.published(), published);
  EXPECT_EQ(cluster.get(kMaps).body, objects);
  EXPECT_EQ(cluster.events(*cluster.watch(from_start)), events);
  EXPECT_EQ(cluster.post(kMaps, config_map_json("d")).code, 201);
  EXPECT_GT(cluster.server.take_staged().front().revision, published);
}

TEST(Restoring, KnowsWhereItsHistoryStarts) {
  Settings settings;
  settings.history_bytes = 30'000;
  ApiServerScene cluster(settings);
  cluster.publishes = false;
  cluster.server = ApiServer(settings);
  cluster.server.bootstrap(cluster.now);
  Log log;
  log.write(cluster.server, cluster.now);
  const Revision early = cluster.server.published();
  cluster.post(kMaps, config_map_json("z"));
  cluster.remove(std::string(kMaps) + "/z");
  cluster.post(kMaps, config_map_json("a"));
  for (int i = 0; i < 300; ++i) {
    cluster.put(kA, config_map_json("a", std::to_string(i)));
    log.write(cluster.server, cluster.now);
  }
  EXPECT_LT(log.changes.size(), 150U) << "the log is not kept short";
  const auto objects = cluster.get("/api/v1/configmaps").body;

  cluster.server = log.restored(settings);
  EXPECT_EQ(cluster.get("/api/v1/configmaps").body, objects);
  const auto watched = [&](Revision revision) {
    return cluster.events(*cluster.watch(std::string(kMaps) +
                                         "?watch=1&resourceVersion=" + std::to_string(revision)));
  };
  EXPECT_EQ(watched(early), std::vector<std::string>{"ERROR 410"});
  EXPECT_EQ(watched(cluster.server.published() - 10).size(), 10U);
}

}  // namespace
}  // namespace ebb::apiserver
