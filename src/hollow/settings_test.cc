#include "hollow/settings.h"

#include <gtest/gtest.h>

namespace ebb::hollow {
namespace {

TEST(NodeGrid, GivesZonesOfNodes) {
  const auto nodes = parse_node_grid("3x2");
  ASSERT_TRUE(nodes.has_value());
  std::string all;
  for (const NodeSpec& node : *nodes) all += node.zone + "/" + node.name + " ";
  EXPECT_EQ(all,
            "zone-a/node-a1 zone-a/node-a2 zone-b/node-b1 zone-b/node-b2 zone-c/node-c1 "
            "zone-c/node-c2 ");
  EXPECT_EQ(default_nodes().size(), 6U);
}

TEST(NodeGrid, GoesOnAfterTheLetterZ) {
  const auto nodes = parse_node_grid("28x1");
  ASSERT_TRUE(nodes.has_value());
  EXPECT_EQ(nodes->at(25).name, "node-z1");
  EXPECT_EQ(nodes->at(26).name, "node-aa1");
  EXPECT_EQ(nodes->at(27).name, "node-ab1");
}

TEST(NodeGrid, IsDistinguishedFromFileNames) {
  for (const char* text : {"3x2", "1x1", "100x50"}) EXPECT_TRUE(is_node_grid(text)) << text;
  for (const char* text : {"", "x", "3x", "x2", "nodes.yaml", "3x2.yaml", "-3x2", "3X2"}) {
    EXPECT_FALSE(is_node_grid(text)) << text;
  }
}

TEST(NodeGrid, RefusesNoneAndTooMany) {
  for (const char* text : {"0x2", "3x0", "100x100", "99999999999999999999x1", "", "x", "three"}) {
    const auto nodes = parse_node_grid(text);
    ASSERT_FALSE(nodes.has_value()) << text;
    EXPECT_NE(nodes.error().message.find("such as 3x2"), std::string::npos);
  }
}

TEST(NodeFile, IsReadAsYaml) {
  const auto nodes = parse_node_file(R"(
nodes:
- name: big-1
  zone: zone-a
  labels: {disk: ssd}
  capacity: {cpu: 16, memory: 64Gi}
  taints:
  - {key: gpu, value: "yes", effect: NoSchedule}
- name: small-1
)");
  ASSERT_TRUE(nodes.has_value()) << nodes.error().message;
  ASSERT_EQ(nodes->size(), 2U);
  const NodeSpec& big = nodes->front();
  EXPECT_EQ(big.name, "big-1");
  EXPECT_EQ(big.zone, "zone-a");
  EXPECT_EQ(big.labels.at("disk"), "ssd");
  EXPECT_EQ(big.capacity.at("cpu"), "16");
  ASSERT_EQ(big.taints.size(), 1U);
  EXPECT_EQ(big.taints[0].effect, "NoSchedule");
  EXPECT_EQ(nodes->back().zone, "");
}

TEST(NodeFile, IsReadAsJsonAndAsAPlainList) {
  const auto nodes = parse_node_file(R"([{"name": "a"}, {"name": "b"}])");
  ASSERT_TRUE(nodes.has_value());
  EXPECT_EQ(nodes->size(), 2U);
}

TEST(NodeFile, SaysWhatIsWrong) {
  const struct {
    const char* text;
    const char* message;
  } cases[] = {
      {"nodes: []", "expected at least one node"},
      {"{}", "expected a list of nodes"},
      {"- zone: a", "node 1: has no name"},
      {"- 5", "node 1: must be an object"},
      {"- name: a\n- name: a", "node \"a\" is defined twice"},
      {"- {name: a, zoen: b}", "unknown field zoen (expected capacity, labels, name"},
      {"- {name: A_B}", "node \"A_B\": name: a lowercase RFC 1123 subdomain must"},
      {"- {name: a, zone: my zone}", "zone: a valid label must"},
      {"- {name: a, labels: {a b: c}}", "labels.a b: name part must"},
      {"- {name: a, capacity: {cpu: lots}}", "capacity.cpu: \"lots\" is not a quantity"},
      {"- {name: a, labels: [b]}", "labels must be an object"},
      {"- {name: a, taints: [{key: k, effect: Never}]}", "taint effect \"Never\""},
      {"- {name: a, taints: [{effect: NoSchedule}]}", "a taint needs a key"},
  };
  for (const auto& each : cases) {
    const auto nodes = parse_node_file(each.text);
    ASSERT_FALSE(nodes.has_value()) << each.text;
    EXPECT_NE(nodes.error().message.find(each.message), std::string::npos) << nodes.error().message;
  }
}

}  // namespace
}  // namespace ebb::hollow
