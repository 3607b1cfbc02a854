// Properties of watches on random histories, with and without selectors, across discards and
// restarts: a client that lists at some revision and watches from there ends with the same state
// as a list, sees revisions strictly increase, and sees no event twice. Past states
// (revision_cursor.h) are shown exactly, as a whole and in pages.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "schema/core/json.h"
#include "support/apiserver/api_server_scene.h"

namespace ebb::apiserver {
namespace {

using ebb::testing::ApiServerScene;
namespace json = boost::json;

constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";

std::string map_json(int name, int label, int value) {
  return R"({"metadata":{"name":"m)" + std::to_string(name) + R"(","labels":{"x":")" +
         std::to_string(label) + R"("}},"data":{"value":")" + std::to_string(value) + "\"}}";
}

// One random write; some are refused, which is fine.
void write_something(ApiServerScene& cluster, int value) {
  const int name = *rc::gen::inRange(0, 6);
  const std::string path = std::string(kMaps) + "/m" + std::to_string(name);
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      cluster.post(kMaps, map_json(name, *rc::gen::inRange(0, 2), value));
      break;
    case 1:
      cluster.remove(path);
      break;
    default:
      cluster.put(path, map_json(name, *rc::gen::inRange(0, 2), value));
      break;
  }
}

using State = std::map<std::string, std::string>;  // name to revision

void add_items(const ApiServerScene::Answer& list, State& state) {
  const json::value items = list.at("items");
  for (const json::value& item : items.as_array()) {
    const json::object& object = item.get_object();
    state[std::string(schema::text_at(object, {"metadata", "name"}))] =
        schema::text_at(object, {"metadata", "resourceVersion"});
  }
}

State listed(ApiServerScene& cluster, const std::string& selector) {
  State state;
  add_items(cluster.get(std::string(kMaps) + "?" + selector), state);
  return state;
}

struct Follower {
  std::string selector;
  State state;
  Revision last = 0;
  std::shared_ptr<WatchCursor> cursor;

  void start(ApiServerScene& cluster) {
    state = listed(cluster, selector);
    last = cluster.server.published();
    cursor = cluster.watch(std::string(kMaps) + "?watch=1&" + selector +
                           "&resourceVersion=" + std::to_string(last));
  }

  void follow(ApiServerScene& cluster) {
    for (const json::object& event : cluster.raw_events(*cursor)) {
      const std::string_view type = schema::text_at(event, {"type"});
      const std::string name(schema::text_at(event, {"object", "metadata", "name"}));
      const std::string revision(schema::text_at(event, {"object", "metadata", "resourceVersion"}));
      RC_ASSERT(std::stoull(revision) > last);
      last = std::stoull(revision);
      RC_ASSERT((type == "ADDED") == !state.contains(name));
      if (type == "DELETED") {
        state.erase(name);
      } else {
        state[name] = revision;
      }
    }
    RC_ASSERT(state == listed(cluster, selector));
  }
};

RC_GTEST_PROP(History, LetsFollowersEndWithWhatAListShows, ()) {
  ApiServerScene cluster;
  std::vector<Follower> followers;
  const int steps = *rc::gen::inRange(1, 60);
  for (int step = 0; step < steps; ++step) {
    switch (*rc::gen::inRange(0, 8)) {
      case 0: {
        Follower follower;
        if (*rc::gen::arbitrary<bool>()) follower.selector = "labelSelector=x%3D1";
        follower.start(cluster);
        followers.push_back(std::move(follower));
        break;
      }
      case 1:
        for (Follower& follower : followers) follower.follow(cluster);
        break;
      case 2:
        // A group of writes that the disk did not take.
        cluster.publishes = false;
        write_something(cluster, step);
        write_something(cluster, step);
        cluster.server.discard();
        cluster.publishes = true;
        break;
      default:
        write_something(cluster, step);
        break;
    }
  }
  for (Follower& follower : followers) follower.follow(cluster);
}

RC_GTEST_PROP(History, ShowsEveryPastStateExactly, ()) {
  ApiServerScene cluster;
  std::map<Revision, State> past;
  const int steps = *rc::gen::inRange(1, 40);
  for (int step = 0; step < steps; ++step) {
    write_something(cluster, step);
    past[cluster.server.published()] = listed(cluster, "");
  }
  for (const auto& [revision, state] : past) {
    RC_ASSERT(listed(cluster, "resourceVersionMatch=Exact&resourceVersion=" +
                                  std::to_string(revision)) == state);
  }
}

RC_GTEST_PROP(History, IsReadInPagesOfOneStateWhileItGoesOn, ()) {
  ApiServerScene cluster;
  const int steps = *rc::gen::inRange(1, 20);
  for (int step = 0; step < steps; ++step) write_something(cluster, step);
  const State whole = listed(cluster, "");

  State read;
  std::string query = "?limit=1";
  for (int step = steps; !query.empty(); ++step) {
    const auto page = cluster.get(std::string(kMaps) + query);
    add_items(page, read);
    query.clear();
    if (read.size() < whole.size()) {
      RC_ASSERT(page.at("metadata/remainingItemCount") == whole.size() - read.size());
      query = fmt::format("?limit={}&continue={}", *rc::gen::inRange(1, 4),
                          page.text("metadata/continue"));
    } else {
      RC_ASSERT(page.at("metadata/continue").is_null());
    }
    write_something(cluster, step);
    write_something(cluster, step);
  }
  RC_ASSERT(read == whole);
}

}  // namespace
}  // namespace ebb::apiserver
