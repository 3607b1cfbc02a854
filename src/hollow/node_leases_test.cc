#include "hollow/node_leases.h"

#include <gtest/gtest.h>

#include "model/api/requests.h"
#include "schema/core/json.h"
#include "support/nodes/nodes_scene.h"

namespace ebb::hollow {
namespace {

using schema::text_at;
using testing::kSecond;

class NodeLeasesTest : public ::testing::Test, protected testing::NodesScene {
 protected:
  void SetUp() override { start(std::make_unique<NodeLeases>(Settings{})); }
  void create_node(std::string_view name) {
    world->create(std::string(R"({"apiVersion":"v1","kind":"Node","metadata":{"name":")") +
                  std::string(name) + "\"}}");
  }
  [[nodiscard]] Timestamp renewed(std::string_view name) const {
    const auto lease = find("leases", name);
    return lease == nullptr ? Timestamp() : model::time_at(*lease, {"spec", "renewTime"});
  }
};

TEST_F(NodeLeasesTest, EveryNodeGetsALeaseThatItOwns) {
  create_node("one");
  create_node("two");
  world->run_for(kSecond);
  ASSERT_TRUE(has("leases", "two"));
  const auto lease = find("leases", "one");
  ASSERT_NE(lease, nullptr);
  EXPECT_EQ(text_at(*lease, {"metadata", "namespace"}), "kube-node-lease");
  EXPECT_EQ(text_at(*lease, {"spec", "holderIdentity"}), "one");
  EXPECT_EQ(schema::integer_at(*lease, {"spec", "leaseDurationSeconds"}), 40);
  const auto* owners = schema::array_at(*lease, {"metadata", "ownerReferences"});
  ASSERT_NE(owners, nullptr);
  EXPECT_EQ(text_at(owners->at(0).get_object(), {"uid"}),
            text_at(*find("nodes", "one"), {"metadata", "uid"}));
}

TEST_F(NodeLeasesTest, LeasesAreRenewedAboutEveryTenSeconds) {
  create_node("one");
  world->run_for(600 * kSecond);
  EXPECT_GE(world->effects(), 60U);
  EXPECT_LE(world->effects(), 70U);
  EXPECT_GE(renewed("one"), later_by(world->now(), -11 * kSecond));
}

TEST_F(NodeLeasesTest, ALeaseThatWasDeletedIsMadeAgain) {
  create_node("one");
  world->run_for(kSecond);
  world->request(testing::delete_request(
      "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/one"));
  world->run_for(12 * kSecond);
  EXPECT_TRUE(has("leases", "one"));
}

TEST_F(NodeLeasesTest, TheLeaseOfADeletedNodeIsLeftAlone) {
  create_node("one");
  world->run_for(kSecond);
  world->request(testing::delete_request("/api/v1/nodes/one"));
  world->run_for(kSecond);
  const std::size_t before = world->effects();
  world->run_for(60 * kSecond);
  EXPECT_EQ(world->effects(), before);
}

TEST(NodeLeases, AreRenewedDespiteFaults) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    testing::NodesScene scene;
    scene.world->set_faults({.seed = seed});
    scene.start(std::make_unique<NodeLeases>(Settings{}));
    scene.world->create(R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"one"}})");
    scene.world->run_for(120 * kSecond);
    const auto lease = scene.find("leases", "one");
    ASSERT_NE(lease, nullptr);
    EXPECT_GE(model::time_at(*lease, {"spec", "renewTime"}),
              later_by(scene.world->now(), -40 * kSecond));
  }
}

}  // namespace
}  // namespace ebb::hollow
