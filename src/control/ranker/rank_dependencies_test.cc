#include "control/ranker/rank_dependencies.h"

#include <gtest/gtest.h>

namespace ebb::control {
namespace {

using Keys = std::set<Key>;

Key group(std::string name) { return {.namespace_name = "shop", .name = std::move(name)}; }

TEST(RankDependencies, ANodeConcernsGroupsWithPodsOnIt) {
  RankDependencies readers;
  readers.set(group("a"), {.nodes = {"n1", "n2", "n1"}});
  readers.set(group("b"), {.nodes = {"n2"}});
  readers.node_changed("n1", false);
  EXPECT_EQ(readers.take_due(), Keys{group("a")});
  readers.node_changed("n2", true);
  EXPECT_EQ(readers.take_due(), Keys({group("a"), group("b")}));
  readers.node_changed("n3", true);
  EXPECT_FALSE(readers.has_due());
}

TEST(RankDependencies, APodConcernsGroupsThatReadOtherPodsOnItsNodeOrInItsNamespace) {
  RankDependencies readers;
  readers.set(group("spread"), {.nodes = {"n1"}});
  readers.set(group("apart"),
              {.nodes = {"n1"}, .other_pods = true, .namespaces = {"shop", "tools"}});
  readers.pod_changed("elsewhere", "n1");
  EXPECT_EQ(readers.take_due(), Keys{group("apart")});
  readers.pod_changed("tools", "n9");
  EXPECT_EQ(readers.take_due(), Keys{group("apart")});
  readers.pod_changed("elsewhere", "n9");
  EXPECT_FALSE(readers.has_due());
}

TEST(RankDependencies, LabelsOfAnyNodeConcernGroupsThatReadOtherPods) {
  RankDependencies readers;
  readers.set(group("apart"), {.nodes = {"n1"}, .other_pods = true, .namespaces = {"shop"}});
  readers.node_changed("n9", false);
  EXPECT_FALSE(readers.has_due());
  readers.node_changed("n9", true);
  EXPECT_EQ(readers.take_due(), Keys{group("apart")});
}

TEST(RankDependencies, WhatAGroupDoesNotReadAnyMoreDoesNotConcernIt) {
  RankDependencies readers;
  readers.set(group("a"), {.nodes = {"n1"}, .other_pods = true, .namespaces = {"shop"}});
  readers.set(group("a"), {.nodes = {"n2"}});
  readers.node_changed("n1", true);
  readers.pod_changed("shop", "n2");
  EXPECT_FALSE(readers.has_due());
  readers.node_changed("n2", false);
  readers.erase(group("a"));
  EXPECT_EQ(readers.take_due(), Keys());
}

}  // namespace
}  // namespace ebb::control
