#include "control/ranker/rank_cluster_reader.h"

#include <map>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/objects/pods.h"

namespace ebb::control {
namespace {

using testing::World;

TEST(RankClusterReader, CountsActivePodsOnNodesButForDaemons) {
  World world;
  const Store store;
  RankClusterReader cluster(store);
  Pod daemon = world.pod("daemon");
  daemon.controller = world.owner("DaemonSet", "logs", "d");
  Pod finished = world.pod("finished");
  finished.phase = model::Phase::kSucceeded;
  Pod orphan = world.pod("orphan");
  orphan.controller = nullptr;
  const Pod plain = world.pod("plain");
  for (const Pod* pod : std::initializer_list<const Pod*>{&daemon, &finished, &orphan, &plain}) {
    cluster.pod_changed({.after = pod});
  }
  EXPECT_EQ(cluster.pods_on(world.intern("node-1")), 2U);
  EXPECT_EQ(cluster.pods_on(world.intern("node-2")), 0U);
}

TEST(RankClusterReader, RemovesAPodWhoseLastStateWasNeverSeen) {
  World world;
  const Store store;
  RankClusterReader cluster(store);
  const Pod pod = world.pod("a");
  cluster.pod_changed({.after = &pod});
  Pod last = pod;
  last.deleting = true;
  cluster.pod_changed({.before = &last});
  EXPECT_EQ(cluster.pods_on(pod.node), 0U);
}

RC_GTEST_PROP(RankClusterReaderProperties, AgreeWithCountingAnew, ()) {
  World world;
  const Store store;
  RankClusterReader cluster(store);
  std::map<int, Pod> there;
  const int steps = *rc::gen::inRange(0, 60);
  for (int i = 0; i < steps; ++i) {
    const int number = *rc::gen::inRange(0, 8);
    const auto known = there.find(number);
    Pod next = world.pod(fmt::format("p{}", number));
    const int node = *rc::gen::inRange(0, 4);
    next.node = node == 0 ? model::Interned() : world.intern(fmt::format("n{}", node));
    next.deleting = *rc::gen::arbitrary<bool>();
    if (known != there.end() && *rc::gen::inRange(0, 3) == 0) {
      cluster.pod_changed({.before = &next});
      there.erase(known);
      continue;
    }
    cluster.pod_changed(
        {.before = known == there.end() ? nullptr : &known->second, .after = &next});
    there.insert_or_assign(number, next);
  }
  for (int node = 1; node < 4; ++node) {
    const model::Interned name = world.intern(fmt::format("n{}", node));
    std::size_t expected = 0;
    for (const auto& [number, pod] : there) {
      if (pod.active() && pod.node == name) ++expected;
    }
    RC_ASSERT(cluster.pods_on(name) == expected);
  }
}

}  // namespace
}  // namespace ebb::control
