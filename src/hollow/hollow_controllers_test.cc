// The components that do the housekeeping: nodes, namespaces, old events.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hollow/event_expiry.h"
#include "hollow/namespace_deleter.h"
#include "hollow/node_registrar.h"
#include "schema/core/json.h"
#include "support/nodes/nodes_scene.h"

namespace ebb::hollow {
namespace {

using schema::text_at;
using testing::kSecond;

class HollowControllersTest : public ::testing::Test, protected testing::NodesScene {
 protected:
  Settings settings;
};

TEST_F(HollowControllersTest, NodesOfTheSettingsAreMadeReady) {
  settings.nodes = *parse_node_file(R"([{"name": "big", "zone": "z", "labels": {"disk": "ssd"},
    "capacity": {"cpu": "16"}, "taints": [{"key": "k", "effect": "NoSchedule"}]}])");
  start(std::make_unique<NodeRegistrar>(settings));
  world->run_for(kSecond);
  const auto node = find("nodes", "big");
  ASSERT_NE(node, nullptr);
  EXPECT_EQ(text_at(*node, {"metadata", "labels", "kubernetes.io/hostname"}), "big");
  EXPECT_EQ(text_at(*node, {"metadata", "labels", "topology.kubernetes.io/zone"}), "z");
  EXPECT_EQ(text_at(*node, {"metadata", "labels", "disk"}), "ssd");
  EXPECT_EQ(text_at(*node, {"status", "allocatable", "cpu"}), "16");
  EXPECT_EQ(text_at(*node, {"status", "allocatable", "pods"}), "110");
  EXPECT_EQ(text_at(*node, {"status", "nodeInfo", "kubeletVersion"}), "v1.36.0-ebb");
  EXPECT_TRUE(condition("nodes", "big", "Ready").starts_with("True"));
  EXPECT_EQ(world->effects(), 1U);
}

TEST_F(HollowControllersTest, HeartbeatsAreSparse) {
  start(std::make_unique<NodeRegistrar>(settings));
  world->run_for(kSecond);
  EXPECT_EQ(api.list("nodes").size(), 6U);
  EXPECT_EQ(world->effects(), 6U);
  world->run_for(3600 * kSecond);
  EXPECT_EQ(world->effects(), 6U + 6 * 12);
  EXPECT_TRUE(condition("nodes", "node-a1", "Ready").starts_with("True KubeletReady"));
}

TEST_F(HollowControllersTest, AUsersNodeIsMadeReadyAndADeletedNodeStaysDeleted) {
  settings.nodes = *parse_node_grid("1x1");
  start(std::make_unique<NodeRegistrar>(settings));
  world->create(R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"mine"},
    "status":{"capacity":{"cpu":"2"}}})");
  world->run_for(kSecond);
  EXPECT_TRUE(condition("nodes", "mine", "Ready").starts_with("True"));
  EXPECT_EQ(text_at(*find("nodes", "mine"), {"status", "allocatable", "cpu"}), "2");
  EXPECT_EQ(text_at(*find("nodes", "mine"), {"metadata", "labels", "kubernetes.io/hostname"}),
            "mine");
  world->request(testing::delete_request("/api/v1/nodes/node-a1"));
  world->run_for(3600 * kSecond);
  EXPECT_FALSE(has("nodes", "node-a1"));
  // The next start brings it back, and leaves the others as they are.
  stop();
  start(std::make_unique<NodeRegistrar>(settings));
  world->run_for(kSecond);
  EXPECT_TRUE(has("nodes", "node-a1"));
}

TEST_F(HollowControllersTest, ANodeThatIsNotReadyBecomesReadyAgain) {
  start(std::make_unique<NodeRegistrar>(settings));
  world->run_for(kSecond);
  world->request(
      testing::merge_request("/api/v1/nodes/node-a1/status",
                             R"({"status":{"conditions":[{"type":"Ready","status":"False"}]}})"));
  world->run_for(kSecond);
  EXPECT_TRUE(condition("nodes", "node-a1", "Ready").starts_with("True"));
}

TEST_F(HollowControllersTest, ANewNodeLosesTheTaintThatItIsNotReady) {
  settings.nodes = *parse_node_grid("1x1");
  start(std::make_unique<NodeRegistrar>(settings));
  world->create(R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"mine"},"spec":{"taints":[
    {"key":"node.kubernetes.io/not-ready","effect":"NoSchedule"}]}})");
  world->create(R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"both"},"spec":{"taints":[
    {"key":"gpu","effect":"NoSchedule"},
    {"key":"node.kubernetes.io/not-ready","effect":"NoSchedule"}]}})");
  world->run_for(kSecond);
  const auto mine = find("nodes", "mine");
  ASSERT_NE(mine, nullptr);
  EXPECT_EQ(schema::array_at(*mine, {"spec", "taints"}), nullptr);
  const auto both = find("nodes", "both");
  ASSERT_NE(both, nullptr);
  const auto* taints = schema::array_at(*both, {"spec", "taints"});
  ASSERT_NE(taints, nullptr);
  ASSERT_EQ(taints->size(), 1U);
  EXPECT_EQ(text_at(taints->at(0).get_object(), {"key"}), "gpu");
}

TEST(NodeRegistrar, GetsThereDespiteFaults) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    testing::NodesScene scene;
    scene.world->set_faults({.seed = seed});
    scene.start(std::make_unique<NodeRegistrar>(Settings{}));
    scene.world->run_for(60 * kSecond);
    EXPECT_EQ(scene.api.list("nodes").size(), 6U);
  }
}

TEST_F(HollowControllersTest, ANamespaceIsEmptiedBeforeItGoes) {
  world->create(R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"shop"},
    "spec":{"finalizers":["kubernetes"]}})");
  world->create(
      R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","namespace":"shop"}})");
  world->create(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"shop",
    "finalizers":["x/y"]}})");
  world->create(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"q","namespace":"other"}})");
  start(std::make_unique<NamespaceDeleter>());
  world->run_for(10 * kSecond);
  EXPECT_EQ(world->effects(), 0U);
  world->request(testing::delete_request("/api/v1/namespaces/shop"));
  world->run_for(10 * kSecond);
  EXPECT_FALSE(has("configmaps", "c"));
  EXPECT_TRUE(has("pods", "p"));
  EXPECT_TRUE(has("namespaces", "shop")) << "a pod is left";
  world->request(testing::merge_request("/api/v1/namespaces/shop/pods/p",
                                        R"({"metadata":{"finalizers":null}})"));
  world->run_for(60 * kSecond);
  EXPECT_FALSE(has("namespaces", "shop"));
  EXPECT_TRUE(has("pods", "q"));
}

TEST(NamespaceDeleter, GetsThereDespiteFaults) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    testing::NodesScene scene;
    scene.world->create(R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"shop"},
      "spec":{"finalizers":["kubernetes"]}})");
    scene.world->create(
        R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","namespace":"shop"}})");
    scene.start(std::make_unique<NamespaceDeleter>());
    scene.world->set_faults({.seed = seed, .unknown = 0.02, .refused = 0.02});
    scene.world->request(testing::delete_request("/api/v1/namespaces/shop"));
    scene.world->run_for(60 * kSecond);
    scene.world->set_faults({});
    scene.world->run_for(60 * kSecond);
    EXPECT_FALSE(scene.has("namespaces", "shop"));
  }
}

TEST_F(HollowControllersTest, EventsGoAfterAnHourAndTheOldestWhenThereAreTooMany) {
  settings.max_events = 50;
  const auto create_event = [&](std::string_view name) {
    world->create(
        fmt::format(R"({{"apiVersion":"v1","kind":"Event","metadata":{{"name":"{}"}}}})", name));
  };
  start(std::make_unique<EventExpiry>(settings));
  create_event("old");
  world->run_for(1800 * kSecond);
  create_event("young");
  world->run_for(1799 * kSecond);
  EXPECT_TRUE(has("events", "old"));
  world->run_for(2 * kSecond);
  EXPECT_FALSE(has("events", "old"));
  EXPECT_TRUE(has("events", "young"));
  for (int i = 0; i < 100; ++i) create_event(fmt::format("e{}", i));
  world->run_for(kSecond);
  EXPECT_EQ(api.list("events").size(), 50U);
  EXPECT_FALSE(has("events", "young"));
  world->run_for(3600 * kSecond);
  EXPECT_TRUE(api.list("events").empty());
}

}  // namespace
}  // namespace ebb::hollow
