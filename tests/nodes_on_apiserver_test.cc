// All components of src/hollow on the real API server, on virtual time.
#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hollow/event_expiry.h"
#include "hollow/garbage_collector.h"
#include "hollow/kubelet.h"
#include "hollow/namespace_deleter.h"
#include "hollow/node_registrar.h"
#include "hollow/scheduler.h"
#include "schema/core/json.h"
#include "support/nodes/api_server_world.h"

namespace ebb {
namespace {

using schema::text_at;

struct Cluster : testing::ApiServerWorld {
  explicit Cluster(const hollow::Settings& settings = {}) {
    add(std::make_unique<hollow::NodeRegistrar>(settings));
    add(std::make_unique<hollow::Scheduler>(settings));
    add(std::make_unique<hollow::Kubelet>(settings));
    add(std::make_unique<hollow::GarbageCollector>());
    add(std::make_unique<hollow::NamespaceDeleter>());
    add(std::make_unique<hollow::EventExpiry>(settings));
    world.run_for(kSecond);
  }

  // A ReplicaSet and the pods that a controller would make for it.
  void create_set(std::string_view name, int pods, std::string_view namespace_name = "default",
                  std::string_view spec = "") {
    world.create(fmt::format(
        R"({{"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{{"name":"{0}","namespace":"{1}"}},
        "spec":{{"replicas":{2},"selector":{{"matchLabels":{{"app":"{0}"}}}},
        "template":{{"metadata":{{"labels":{{"app":"{0}"}}}},
        "spec":{{"containers":[{{"name":"web","image":"web:1"}}]}}}}}}}})",
        name, namespace_name, pods));
    const std::string uid(text_at(*find("replicasets", name), {"metadata", "uid"}));
    for (int i = 0; i < pods; ++i) {
      world.create(fmt::format(
          R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{0}-{1}","namespace":"{2}",
          "labels":{{"app":"{0}"}},"ownerReferences":[{{"apiVersion":"apps/v1","kind":"ReplicaSet",
          "name":"{0}","uid":"{3}","controller":true,"blockOwnerDeletion":true}}]}},
          "spec":{{{4}"containers":[{{"name":"web","image":"web:1"}}]}}}})",
          name, i, namespace_name, uid, spec));
    }
  }

  int ready_pods() {
    int count = 0;
    for (const auto& pod : list("pods")) {
      const auto* conditions = schema::array_at(*pod, {"status", "conditions"});
      if (conditions == nullptr) continue;
      for (const auto& each : *conditions) {
        if (text_at(each.as_object(), {"type"}) == "Ready" &&
            text_at(each.as_object(), {"status"}) == "True") {
          ++count;
        }
      }
    }
    return count;
  }

  // Pods on each node.
  std::map<std::string, int> spread() {
    std::map<std::string, int> counts;
    for (const auto& pod : list("pods")) ++counts[std::string(text_at(*pod, {"spec", "nodeName"}))];
    return counts;
  }

  int request(model::Method method, std::string path, std::string body,
              std::string type = "application/json") {
    const auto response = world.request({.method = method,
                                         .path = std::move(path),
                                         .content_type = std::move(type),
                                         .accept = "application/json",
                                         .body = std::move(body)});
    EXPECT_LT(response.code, 300) << response.body.str();
    return response.code;
  }
};

TEST(NodesOnApiServer, PodsAreSpreadStartedAndMadeReady) {
  Cluster cluster;
  EXPECT_EQ(cluster.list("nodes").size(), 6U);
  cluster.create_set("web", 12);
  cluster.world.run_for(10 * kSecond);
  EXPECT_EQ(cluster.ready_pods(), 12);
  const std::map<std::string, int> even{{"node-a1", 2}, {"node-a2", 2}, {"node-b1", 2},
                                        {"node-b2", 2}, {"node-c1", 2}, {"node-c2", 2}};
  EXPECT_EQ(cluster.spread(), even);
  const auto pod = cluster.find("pods", "web-0");
  EXPECT_EQ(text_at(*pod, {"status", "phase"}), "Running");
  EXPECT_TRUE(text_at(*pod, {"status", "hostIP"}).starts_with("172.18."));
  EXPECT_TRUE(text_at(*pod, {"status", "podIP"}).starts_with("10.240."));
  const std::size_t effects = cluster.world.effects();
  cluster.world.run_for(200 * kSecond);
  EXPECT_EQ(cluster.world.effects(), effects) << "a cluster at rest does nothing";
}

TEST(NodesOnApiServer, ADeletedOwnerTakesItsPodsAlong) {
  for (const char* policy : {"Background", "Foreground"}) {
    Cluster cluster;
    cluster.create_set("web", 5);
    cluster.world.run_for(10 * kSecond);
    cluster.request(model::Method::kDelete, "/apis/apps/v1/namespaces/default/replicasets/web",
                    fmt::format(R"({{"propagationPolicy":"{}"}})", policy));
    cluster.world.run_for(10 * kSecond);
    EXPECT_TRUE(cluster.list("pods").empty()) << policy;
    EXPECT_TRUE(cluster.list("replicasets").empty()) << policy;
  }
}

TEST(NodesOnApiServer, OrphansStay) {
  Cluster cluster;
  cluster.create_set("web", 5);
  cluster.world.run_for(10 * kSecond);
  cluster.request(model::Method::kDelete, "/apis/apps/v1/namespaces/default/replicasets/web",
                  R"({"propagationPolicy":"Orphan"})");
  cluster.world.run_for(10 * kSecond);
  EXPECT_TRUE(cluster.list("replicasets").empty());
  EXPECT_EQ(cluster.ready_pods(), 5);
  EXPECT_EQ(schema::lookup(*cluster.find("pods", "web-0"), {"metadata", "ownerReferences"}),
            nullptr);
}

TEST(NodesOnApiServer, ANamespaceGoesWithAllThatIsInIt) {
  Cluster cluster;
  cluster.world.create(R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"shop"}})");
  cluster.create_set("web", 3, "shop");
  cluster.create_set("other", 2);
  cluster.world.run_for(10 * kSecond);
  cluster.request(model::Method::kDelete, "/api/v1/namespaces/shop", "{}");
  cluster.world.run_for(60 * kSecond);
  EXPECT_EQ(cluster.find("namespaces", "shop"), nullptr);
  EXPECT_EQ(cluster.list("pods").size(), 2U);
}

TEST(NodesOnApiServer, CordonAndTaintKeepPodsAway) {
  Cluster cluster;
  cluster.create_set("web", 6);
  cluster.world.run_for(10 * kSecond);
  cluster.request(model::Method::kPatch, "/api/v1/nodes/node-a1",
                  R"({"spec":{"unschedulable":true}})", "application/merge-patch+json");
  cluster.request(model::Method::kPatch, "/api/v1/nodes/node-a2",
                  R"({"spec":{"taints":[{"key":"k","effect":"NoExecute"}]}})",
                  "application/strategic-merge-patch+json");
  cluster.world.run_for(10 * kSecond);
  EXPECT_EQ(cluster.list("pods").size(), 5U);
  cluster.create_set("more", 8);
  cluster.world.run_for(10 * kSecond);
  const auto spread = cluster.spread();
  EXPECT_EQ(spread.at("node-a1"), 1);
  EXPECT_FALSE(spread.contains("node-a2"));
}

TEST(NodesOnApiServer, APodThatFitsNowhereSaysWhy) {
  Cluster cluster;
  cluster.create_set("web", 1, "default", R"("nodeSelector":{"disk":"ssd"},)");
  cluster.world.run_for(5 * kSecond);
  const auto pod = cluster.find("pods", "web-0");
  const auto* conditions = schema::array_at(*pod, {"status", "conditions"});
  ASSERT_NE(conditions, nullptr);
  EXPECT_EQ(text_at(conditions->at(0).as_object(), {"message"}),
            "0/6 nodes are available: 6 node(s) didn't match Pod's node affinity/selector.");
  cluster.request(model::Method::kPatch, "/api/v1/nodes/node-b2",
                  R"({"metadata":{"labels":{"disk":"ssd"}}})", "application/merge-patch+json");
  cluster.world.run_for(10 * kSecond);
  EXPECT_EQ(cluster.ready_pods(), 1);
}

TEST(NodesOnApiServer, EventsAreRecordedAndExpire) {
  Cluster cluster;
  cluster.create_set("web", 1);
  cluster.world.run_for(10 * kSecond);
  std::set<std::string> reasons;
  for (const auto& event : cluster.list("events")) {
    reasons.emplace(text_at(*event, {"reason"}));
  }
  EXPECT_EQ(reasons, (std::set<std::string>{"Scheduled", "Created", "Started"}));
  cluster.world.run_for(3700 * kSecond);
  EXPECT_TRUE(cluster.list("events").empty());
}

TEST(NodesOnApiServer, ComesToRestDespiteFaults) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    Cluster cluster;
    cluster.world.set_faults({.seed = seed});
    cluster.create_set("web", 10);
    cluster.create_set("api", 10);
    cluster.world.run_for(20 * kSecond);
    cluster.request(model::Method::kDelete, "/apis/apps/v1/namespaces/default/replicasets/api",
                    R"({"propagationPolicy":"Foreground"})");
    cluster.world.run_for(20 * kSecond);
    cluster.world.set_faults({});
    cluster.world.run_for(120 * kSecond);
    EXPECT_EQ(cluster.list("pods").size(), 10U);
    EXPECT_EQ(cluster.ready_pods(), 10);
    EXPECT_EQ(cluster.list("replicasets").size(), 1U);
  }
}

}  // namespace
}  // namespace ebb
