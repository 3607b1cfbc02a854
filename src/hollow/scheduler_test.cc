#include "hollow/scheduler.h"

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "schema/core/json.h"
#include "support/nodes/nodes_scene.h"

namespace ebb::hollow {
namespace {

using schema::text_at;
using testing::kSecond;

struct Scene : testing::NodesScene {
  void start() { NodesScene::start(std::make_unique<Scheduler>(Settings{})); }

  void create_node(std::string_view name, int pods = 110, std::string_view spec = "{}",
                   int cpus = 8) {
    world->create(fmt::format(
        R"({{"apiVersion":"v1","kind":"Node","metadata":{{"name":"{0}","labels":{{
        "kubernetes.io/hostname":"{0}","topology.kubernetes.io/zone":"{1}"}}}},"spec":{2},
        "status":{{"allocatable":{{"cpu":"{4}","memory":"8Gi","pods":"{3}"}}}}}})",
        name, name.substr(0, 1), spec, pods, cpus));
  }

  void create_pod(std::string_view name, std::string_view spec = "{}",
                  std::string_view metadata = "") {
    world->create(fmt::format(R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{}"{}}},
                                  "spec":{}}})",
                              name, metadata, spec));
  }

  std::string node_of(const std::string& pod) {
    const auto nodes = nodes_of_pods();
    const auto found = nodes.find(pod);
    return found == nodes.end() ? "" : found->second;
  }
};

class SchedulerTest : public ::testing::Test, protected Scene {};

TEST_F(SchedulerTest, BindsPodsAndSaysSo) {
  create_node("a1");
  start();
  create_pod("p");
  world->run_for(kSecond);
  EXPECT_EQ(node_of("p"), "a1");
  EXPECT_EQ(events("Scheduled"), "Successfully assigned default/p to a1\n");
}

TEST_F(SchedulerTest, LeavesOthersPodsAndGatedPodsAlone) {
  create_node("a1");
  start();
  create_pod("other", R"({"schedulerName":"mine"})");
  create_pod("gated", R"({"schedulingGates":[{"name":"x"}]})");
  world->run_for(kSecond);
  EXPECT_TRUE(nodes_of_pods().empty());
  world->request(testing::merge_request("/api/v1/namespaces/default/pods/gated",
                                        R"({"spec":{"schedulingGates":null}})"));
  world->run_for(kSecond);
  EXPECT_EQ(node_of("gated"), "a1");
  EXPECT_EQ(node_of("other"), "");
}

TEST_F(SchedulerTest, SaysWhyAPodWaitsAndPlacesItOnceThereIsRoom) {
  create_node("a1", 1);
  start();
  create_pod("p1");
  create_pod("p2");
  world->run_for(kSecond);
  EXPECT_EQ(node_of("p1"), "a1");
  EXPECT_EQ(condition("pods", "p2", "PodScheduled"),
            "False Unschedulable 0/1 nodes are available: 1 Too many pods.");
  EXPECT_EQ(events("FailedScheduling"), "0/1 nodes are available: 1 Too many pods.\n");
  const std::size_t effects = world->effects();
  world->run_for(600 * kSecond);
  EXPECT_EQ(world->effects(), effects) << "nothing changes, so nothing is to be done";
  world->request(
      testing::delete_request("/api/v1/namespaces/default/pods/p1", R"({"gracePeriodSeconds":0})"));
  world->run_for(kSecond);
  EXPECT_EQ(node_of("p2"), "a1");
}

TEST_F(SchedulerTest, TriesAgainWhenANodeComesOrIsUncordoned) {
  start();
  create_pod("p");
  world->run_for(kSecond);
  EXPECT_EQ(condition("pods", "p", "PodScheduled"),
            "False Unschedulable no nodes available to schedule pods");
  create_node("a1", 110, R"({"unschedulable":true})");
  world->run_for(2 * kSecond);
  EXPECT_EQ(node_of("p"), "");
  world->request(testing::merge_request("/api/v1/nodes/a1", R"({"spec":{"unschedulable":null}})"));
  world->run_for(2 * kSecond);
  EXPECT_EQ(node_of("p"), "a1");
}

TEST_F(SchedulerTest, ServesHigherPriorityFirst) {
  start();
  create_pod("low", R"({"priority":1})");
  create_pod("high", R"({"priority":5})");
  world->run_for(kSecond);
  create_node("a1", 1);
  world->run_for(2 * kSecond);
  EXPECT_EQ(node_of("high"), "a1");
  EXPECT_EQ(node_of("low"), "");
}

TEST_F(SchedulerTest, CountsPodsThatWereBoundBefore) {
  create_node("a1", 2);
  create_pod("old", R"({"nodeName":"a1"})");
  create_pod("done", R"({"nodeName":"a1"})");
  world->request(testing::merge_request("/api/v1/namespaces/default/pods/done",
                                        R"({"status":{"phase":"Succeeded"}})"));
  start();
  create_pod("p1");
  create_pod("p2");
  world->run_for(kSecond);
  EXPECT_EQ(node_of("p1"), "a1") << "a pod that is over takes no room";
  EXPECT_EQ(node_of("p2"), "");
}

TEST_F(SchedulerTest, FollowsChangedLabels) {
  create_node("a1");
  create_pod("web", R"({"nodeName":"a1"})", R"(,"labels":{"app":"web"})");
  start();
  const char* apart = R"({"affinity":{"podAntiAffinity":{
    "requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"kubernetes.io/hostname",
    "labelSelector":{"matchLabels":{"app":"web"}}}]}}})";
  create_pod("p", apart);
  world->run_for(kSecond);
  EXPECT_EQ(node_of("p"), "");
  world->request(testing::merge_request("/api/v1/namespaces/default/pods/web",
                                        R"({"metadata":{"labels":{"app":"db"}}})"));
  world->run_for(2 * kSecond);
  EXPECT_EQ(node_of("p"), "a1");
}

// A random cluster with faults.
RC_GTEST_PROP(SchedulerProperty, NeverBreaksARule, ()) {
  Scene scene;
  const bool faults = *rc::gen::inRange(0, 2) == 1;
  const auto seed = faults ? *rc::gen::inRange<std::uint64_t>(1, 1'000'000) : 0;
  const int node_count = *rc::gen::inRange(1, 8);
  std::map<std::string, bool> tainted;
  for (int i = 0; i < node_count; ++i) {
    const bool taint = *rc::gen::inRange(0, 3) == 0;
    const std::string name = fmt::format("{}{}", static_cast<char>('a' + i % 3), i);
    tainted[name] = taint;
    scene.create_node(name, *rc::gen::inRange(1, 6),
                      taint ? R"({"taints":[{"key":"k","effect":"NoSchedule"}]})" : "{}",
                      *rc::gen::inRange(1, 4));
  }
  scene.start();
  scene.world->set_faults({.seed = seed});

  struct Wish {
    bool tolerates = false;
    bool spread = false;
    int cpus = 0;
  };
  std::map<std::string, Wish> wishes;
  const auto check_room_and_taints = [&] {
    std::map<std::string, int> pods;
    std::map<std::string, int> cpus;
    for (const auto& [pod, node] : scene.nodes_of_pods()) {
      const bool tolerable = !tainted.at(node) || wishes.at(pod).tolerates;
      RC_ASSERT(tolerable);
      pods[node] += 1;
      cpus[node] += wishes.at(pod).cpus;
    }
    for (const auto& [node, count] : pods) {
      const auto object = scene.find("nodes", node);
      const auto most = [&](std::string_view resource) {
        return std::stoi(std::string(text_at(*object, {"status", "allocatable", resource})));
      };
      RC_ASSERT(count <= most("pods"));
      RC_ASSERT(cpus[node] <= most("cpu"));
    }
  };
  const auto check_spread = [&] {
    std::map<char, int> zones;
    for (const auto& entry : tainted) zones[entry.first[0]] = 0;
    for (const auto& [pod, node] : scene.nodes_of_pods()) {
      if (wishes.at(pod).spread) ++zones[node[0]];
    }
    int least = 1000;
    int most = 0;
    for (const auto& entry : zones) {
      least = std::min(least, entry.second);
      most = std::max(most, entry.second);
    }
    RC_ASSERT(most - least <= 2);
  };
  scene.world->on_change = [&](const model::ObjectEvent& event) {
    if (event.kind != model::pod_kind()) return;
    check_room_and_taints();
    // A node that was chosen counts at once, like in Kubernetes; a binding that has to be
    // repeated can leave the spread uneven for a moment.
    if (!faults) check_spread();
  };

  const int pod_count = *rc::gen::inRange(1, 20);
  for (int i = 0; i < pod_count; ++i) {
    const Wish wish{.tolerates = *rc::gen::inRange(0, 2) == 0,
                    .spread = *rc::gen::inRange(0, 2) == 0,
                    .cpus = *rc::gen::inRange(0, 3)};
    const std::string name = fmt::format("p{}", i);
    wishes[name] = wish;
    scene.create_pod(
        name,
        fmt::format(R"({{"containers":[{{"resources":{{"requests":{{"cpu":"{}"}}}}}}],
          "tolerations":[{}],"topologySpreadConstraints":[{}]}})",
                    wish.cpus, wish.tolerates ? R"({"operator":"Exists"})" : "",
                    wish.spread ? R"({"maxSkew":2,"topologyKey":"topology.kubernetes.io/zone",
                      "whenUnsatisfiable":"DoNotSchedule",
                      "labelSelector":{"matchLabels":{"spread":"yes"}}})"
                                : ""),
        wish.spread ? R"(,"labels":{"spread":"yes"})" : "");
    scene.world->run_for(kSecond / 4);
  }
  scene.world->run_for(10 * kSecond);
  scene.world->set_faults({});
  scene.world->run_for(60 * kSecond);
  check_spread();
  // Pods that are not bound say why.
  const auto bound = scene.nodes_of_pods();
  for (const auto& [pod, wish] : wishes) {
    if (bound.contains(pod)) continue;
    RC_ASSERT(scene.condition("pods", pod, "PodScheduled").starts_with("False Unschedulable 0/"));
  }
}

TEST(SchedulerSpeed, PlacesTwentyThousandPodsOnAHundredNodes) {
  Scheduler scheduler(Settings{.events = false});
  const auto parse = [](const std::string& text) {
    return std::make_shared<const boost::json::object>(boost::json::parse(text).as_object());
  };
  const auto observe = [&](const schema::Kind* kind, const std::string& text) {
    scheduler.observe({model::ObjectEvent::Type::kAdded, kind, parse(text)}, testing::kNow);
  };
  scheduler.synced(testing::kNow);
  for (int i = 0; i < 100; ++i) {
    observe(model::node_kind(),
            fmt::format(R"({{"metadata":{{"name":"n{0}","labels":{{"kubernetes.io/hostname":"n{0}",
            "topology.kubernetes.io/zone":"z{1}"}}}},
            "status":{{"allocatable":{{"cpu":"64","memory":"64Gi","pods":"250"}}}}}})",
                        i, i % 3));
  }
  std::map<std::string, int> placed;
  for (int i = 0; i < 20'000; ++i) {
    observe(model::pod_kind(), fmt::format(
                                   R"({{"metadata":{{"name":"p{0}","namespace":"d","uid":"u{0}",
          "labels":{{"app":"a{1}"}},"ownerReferences":[{{"uid":"rs{1}","controller":true}}]}},
          "spec":{{"containers":[{{"resources":{{"requests":{{"cpu":"100m"}}}}}}],
          "topologySpreadConstraints":[{{"maxSkew":1,"topologyKey":"topology.kubernetes.io/zone",
          "whenUnsatisfiable":"DoNotSchedule","labelSelector":{{"matchLabels":{{"app":"a{1}"}}}}}}]}}}})",
                                   i, i % 50));
    for (const model::Effect& effect : scheduler.take_effects()) {
      const auto body = boost::json::parse(effect.request.body);
      ++placed[std::string(text_at(body.as_object(), {"target", "name"}))];
      scheduler.answered(effect.id, {}, testing::kNow);
    }
  }
  int most = 0;
  int least = 20'000;
  int total = 0;
  for (const auto& [node, count] : placed) {
    most = std::max(most, count);
    least = std::min(least, count);
    total += count;
  }
  EXPECT_EQ(total, 20'000);
  EXPECT_EQ(placed.size(), 100U);
  // A third of the zones has one node more.
  EXPECT_LE(most - least, 20);
}

}  // namespace
}  // namespace ebb::hollow
