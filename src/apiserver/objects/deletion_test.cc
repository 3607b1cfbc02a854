// The deletion of objects.
#include <gtest/gtest.h>

#include "schema/core/json.h"
#include "support/apiserver/api_server_scene.h"

namespace ebb::apiserver {
namespace {

using ebb::testing::ApiServerScene;
using ebb::testing::config_map_json;
using ebb::testing::pod_json;
using ebb::testing::replica_set_json;

constexpr std::string_view kPod = "/api/v1/namespaces/default/pods/web";
constexpr std::string_view kPods = "/api/v1/namespaces/default/pods";
constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";

void make_bound_pod(ApiServerScene& cluster) {
  ASSERT_EQ(cluster.post(kPods, pod_json("web")).code, 201);
  ASSERT_EQ(cluster.post(std::string(kPod) + "/binding", R"({"target":{"name":"n1"}})").code, 201);
}

TEST(Delete, RemovesAnObjectThatNothingHolds) {
  ApiServerScene cluster;
  const auto made = cluster.post(kMaps, config_map_json("a"));
  const auto removed = cluster.remove(std::string(kMaps) + "/a");
  EXPECT_EQ(removed.code, 200);
  EXPECT_EQ(removed.text("status"), "Success");
  EXPECT_EQ(removed.text("details/uid"), made.text("metadata/uid"));
  EXPECT_EQ(cluster.get(std::string(kMaps) + "/a").code, 404);
  EXPECT_EQ(cluster.remove(std::string(kMaps) + "/a").code, 404);
}

TEST(Delete, GivesARunningPodItsGracePeriod) {
  ApiServerScene cluster;
  make_bound_pod(cluster);
  const auto removed = cluster.remove(kPod);
  EXPECT_EQ(removed.code, 200);
  EXPECT_EQ(removed.at("metadata/deletionGracePeriodSeconds"), 30);
  EXPECT_EQ(removed.text("metadata/deletionTimestamp"), "2026-09-21T14:13:50Z");
  const auto kept = cluster.get(kPod);
  EXPECT_EQ(kept.at("metadata/generation"), removed.at("metadata/generation"));
  EXPECT_EQ(cluster.remove(kPod, R"({"gracePeriodSeconds":0})").code, 200);
  EXPECT_EQ(cluster.get(kPod).code, 404);
}

TEST(Delete, RemovesAPodThatRunsNowhereAtOnce) {
  ApiServerScene cluster;
  cluster.post(kPods, pod_json("web"));
  EXPECT_EQ(cluster.remove(kPod).text("kind"), "Pod");
  EXPECT_EQ(cluster.get(kPod).code, 404);
}

TEST(Delete, SaysOfAPodThatIsGoneWhenItHadToGo) {
  ApiServerScene cluster;
  cluster.post(kPods, pod_json("web"));
  auto watch = cluster.watch(std::string(kPods) + "?watch=1&resourceVersion=" +
                             std::to_string(cluster.server.published()));
  const auto removed = cluster.remove(kPod, R"({"gracePeriodSeconds":0})");
  EXPECT_EQ(removed.at("metadata/deletionGracePeriodSeconds"), 0);
  EXPECT_EQ(removed.text("metadata/deletionTimestamp"), "2026-09-21T14:13:20Z");
  const auto events = cluster.raw_events(*watch);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(schema::text_at(events[0], {"object", "metadata", "deletionTimestamp"}),
            "2026-09-21T14:13:20Z");
}

TEST(Delete, ASecondTimeCanOnlyShortenTheGracePeriod) {
  ApiServerScene cluster;
  make_bound_pod(cluster);
  cluster.remove(kPod, R"({"gracePeriodSeconds":20})");
  const auto longer = cluster.remove(kPod, R"({"gracePeriodSeconds":60})");
  EXPECT_EQ(longer.at("metadata/deletionGracePeriodSeconds"), 20);
  const auto unsaid = cluster.remove(kPod);
  EXPECT_EQ(unsaid.at("metadata/deletionGracePeriodSeconds"), 20);
  const auto shorter = cluster.remove(kPod, R"({"gracePeriodSeconds":5})");
  EXPECT_EQ(shorter.at("metadata/deletionGracePeriodSeconds"), 5);
  EXPECT_EQ(shorter.text("metadata/deletionTimestamp"), "2026-09-21T14:13:25Z");
}

TEST(Delete, HonoursPreconditions) {
  ApiServerScene cluster;
  const auto made = cluster.post(kMaps, config_map_json("a"));
  const std::string path = std::string(kMaps) + "/a";
  const auto other = cluster.remove(path, R"({"preconditions":{"uid":"other"}})");
  EXPECT_EQ(other.code, 409);
  EXPECT_NE(other.message().find("the UID in the precondition (other) does not match the UID in"),
            std::string::npos)
      << other.message();
  EXPECT_EQ(cluster.remove(path, R"({"preconditions":{"resourceVersion":"1"}})").code, 409);
  EXPECT_EQ(cluster.get(path).code, 200);
  EXPECT_EQ(
      cluster.remove(path, R"({"preconditions":{"uid":")" + made.text("metadata/uid") + R"("}})")
          .code,
      200);
}

TEST(Delete, WaitsForFinalizers) {
  ApiServerScene cluster;
  cluster.post(kMaps, R"({"metadata":{"name":"a","finalizers":["ebb.dev/held"]}})");
  const std::string path = std::string(kMaps) + "/a";
  EXPECT_EQ(cluster.remove(path).code, 200);
  EXPECT_FALSE(cluster.get(path).at("metadata/deletionTimestamp").is_null());
  auto watch = cluster.watch(std::string(kMaps) + "?watch=1&resourceVersion=" +
                             std::to_string(cluster.server.published()));
  EXPECT_EQ(cluster.patch(path, "merge-patch", R"({"metadata":{"finalizers":null}})").code, 200);
  EXPECT_EQ(cluster.get(path).code, 404);
  EXPECT_EQ(cluster.events(*watch).size(), 1U);
}

TEST(Delete, MarksTheObjectForTheCollectorByItsPolicy) {
  ApiServerScene cluster;
  constexpr std::string_view kSet = "/apis/apps/v1/namespaces/default/replicasets/web";
  const auto made = [&] {
    return cluster.post("/apis/apps/v1/namespaces/default/replicasets", replica_set_json("web", 1));
  };
  ASSERT_EQ(made().code, 201);
  cluster.remove(kSet, R"({"propagationPolicy":"Foreground"})");
  EXPECT_EQ(cluster.get(kSet).text("metadata/finalizers/0"), "foregroundDeletion");
  EXPECT_EQ(cluster.get(kSet).at("metadata/generation"), 2);
  cluster.remove(kSet, R"({"propagationPolicy":"Orphan"})");
  EXPECT_EQ(cluster.get(kSet).text("metadata/finalizers"), R"(["orphan"])");
  cluster.remove(kSet, R"({"propagationPolicy":"Background"})");
  EXPECT_EQ(cluster.get(kSet).code, 404);
  EXPECT_EQ(cluster.remove(kSet, R"({"propagationPolicy":"Sideways"})").code, 422);
}

TEST(Delete, RefusesOptionsOfAnotherTypeRatherThanIgnoringThem) {
  ApiServerScene cluster;
  cluster.post(kMaps, config_map_json("a"));
  const std::string path = std::string(kMaps) + "/a";
  for (const char* options :
       {R"({"dryRun":"All"})", R"({"preconditions":{"resourceVersion":5}})",
        R"({"preconditions":"x"})", R"({"gracePeriodSeconds":"5"})", R"({"propagationPolicy":5})",
        R"({"orphanDependents":"true"})", R"({"kind":"Pod","apiVersion":"v1"})", "[]"}) {
    EXPECT_EQ(cluster.remove(path, options).code, 400) << options;
  }
  EXPECT_EQ(cluster.get(path).code, 200);
  EXPECT_EQ(cluster.remove(path, R"({"kind":"DeleteOptions","apiVersion":"apps/v1"})").code, 200);
}

TEST(Delete, BoundsTheGracePeriod) {
  ApiServerScene cluster;
  make_bound_pod(cluster);
  const auto removed = cluster.remove(kPod, R"({"gracePeriodSeconds":9223372036854775807})");
  EXPECT_EQ(removed.code, 200);
  EXPECT_EQ(removed.text("metadata/deletionTimestamp"), "2094-10-09T17:27:27Z");
}

TEST(Delete, WithDryRunRemovesNothing) {
  ApiServerScene cluster;
  cluster.post(kMaps, config_map_json("a"));
  EXPECT_EQ(cluster.remove(std::string(kMaps) + "/a", R"({"dryRun":["All"]})").code, 200);
  EXPECT_EQ(cluster.get(std::string(kMaps) + "/a").code, 200);
}

TEST(DeleteCollection, RemovesWhatTheSelectorSelects) {
  ApiServerScene cluster;
  cluster.post(kMaps, R"({"metadata":{"name":"a","labels":{"x":"1"}}})");
  cluster.post(kMaps, R"({"metadata":{"name":"b","labels":{"x":"2"}}})");
  const auto removed = cluster.remove(std::string(kMaps) + "?labelSelector=x%3D1");
  EXPECT_EQ(removed.code, 200);
  EXPECT_EQ(removed.text("items/0/metadata/name"), "a");
  EXPECT_EQ(cluster.get(std::string(kMaps) + "/a").code, 404);
  EXPECT_EQ(cluster.get(std::string(kMaps) + "/b").code, 200);
}

TEST(Eviction, DeletesThePodGracefully) {
  ApiServerScene cluster;
  make_bound_pod(cluster);
  const auto evicted =
      cluster.post(std::string(kPod) + "/eviction",
                   R"({"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"web"},
          "deleteOptions":{"gracePeriodSeconds":7}})");
  EXPECT_EQ(evicted.code, 201) << evicted.message();
  EXPECT_EQ(evicted.text("status"), "Success");
  EXPECT_EQ(cluster.get(kPod).at("metadata/deletionGracePeriodSeconds"), 7);
  EXPECT_EQ(cluster.post("/api/v1/namespaces/default/pods/other/eviction", "{}").code, 404);
}

TEST(Eviction, CanNameItsPodInTheBody) {
  ApiServerScene cluster;
  make_bound_pod(cluster);
  constexpr std::string_view kEvictions = "/apis/policy/v1/namespaces/default/evictions";
  EXPECT_EQ(cluster.post(kEvictions, "{}").code, 400);
  EXPECT_EQ(cluster.get(kEvictions).code, 405);
  EXPECT_EQ(cluster.post(kEvictions, R"({"metadata":{"name":"web"}})").code, 201);
  EXPECT_FALSE(cluster.get(kPod).at("metadata/deletionTimestamp").is_null());
}

TEST(Namespaces, EndWhenTheirFinalizerIsGone) {
  ApiServerScene cluster;
  const auto made = cluster.post("/api/v1/namespaces", R"({"metadata":{"name":"shop"}})");
  EXPECT_EQ(made.text("status/phase"), "Active");
  const auto removed = cluster.remove("/api/v1/namespaces/shop");
  EXPECT_EQ(removed.text("status/phase"), "Terminating");
  const auto refused = cluster.post("/api/v1/namespaces/shop/configmaps", config_map_json("a"));
  EXPECT_EQ(refused.code, 403);
  EXPECT_EQ(refused.text("details/causes/0/reason"), "NamespaceTerminating");
  const auto finalized = cluster.put("/api/v1/namespaces/shop/finalize",
                                     R"({"metadata":{"name":"shop"},"spec":{"finalizers":[]}})");
  EXPECT_EQ(finalized.code, 200) << finalized.message();
  EXPECT_EQ(cluster.get("/api/v1/namespaces/shop").code, 404);
}

TEST(Namespaces, AreNotDeletedAllAtOnce) {
  ApiServerScene cluster;
  cluster.post("/api/v1/namespaces", R"({"metadata":{"name":"shop"}})");
  EXPECT_EQ(cluster.remove("/api/v1/namespaces?labelSelector=x").code, 405);
  EXPECT_EQ(cluster.get("/api/v1/namespaces/shop").text("status/phase"), "Active");
}

TEST(Namespaces, OfTheSystemStay) {
  ApiServerScene cluster;
  EXPECT_EQ(cluster.remove("/api/v1/namespaces/default").code, 403);
  EXPECT_EQ(cluster.get("/api/v1/namespaces/default").code, 200);
}

}  // namespace
}  // namespace ebb::apiserver
