#include "hollow/kubelet.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "schema/core/json.h"
#include "support/apiserver/fake_api.h"
#include "support/nodes/component_world.h"

namespace ebb::hollow {
namespace {

using schema::text_at;
using testing::kSecond;

struct Scene {
  Scene() {
    settings.start_delay = {2 * kSecond, 2 * kSecond};
    settings.ready_delay = {kSecond, kSecond};
    settings.termination = {kSecond, kSecond};
    world.create(R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n1"},
      "status":{"addresses":[{"type":"InternalIP","address":"172.18.0.1"}]}})");
  }

  void start() {
    kubelet.emplace(settings);
    world.add(*kubelet, api.everything());
  }

  void create_pod(std::string_view name, std::string_view annotations = "{}",
                  std::string_view spec = "") {
    world.create(fmt::format(
        R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{}","annotations":{}}},
        "spec":{{"nodeName":"n1",{}"containers":[{{"name":"web","image":"nginx"}}]}}}})",
        name, annotations, spec));
  }

  boost::json::object pod(std::string_view name) {
    for (const auto& each : api.list("pods")) {
      if (text_at(*each, {"metadata", "name"}) == name) return *each;
    }
    return {};
  }

  std::string phase(std::string_view name) {
    return std::string(text_at(pod(name), {"status", "phase"}));
  }

  std::string condition(std::string_view name, std::string_view type) {
    const boost::json::object object = pod(name);
    const auto* conditions = schema::array_at(object, {"status", "conditions"});
    if (conditions == nullptr) return "";
    for (const auto& each : *conditions) {
      if (text_at(each.as_object(), {"type"}) == type) {
        return std::string(text_at(each.as_object(), {"status"}));
      }
    }
    return "";
  }

  boost::json::object container(std::string_view name) {
    const boost::json::object object = pod(name);
    const auto* statuses = schema::array_at(object, {"status", "containerStatuses"});
    return statuses == nullptr ? boost::json::object() : statuses->at(0).as_object();
  }

  std::string events(std::string_view reason) {
    std::string messages;
    for (const auto& each : api.list("events")) {
      if (text_at(*each, {"reason"}) == reason) {
        messages += std::string(text_at(*each, {"message"})) + "\n";
      }
    }
    return messages;
  }

  Settings settings;
  testing::FakeApi api;
  std::optional<Kubelet> kubelet;
  testing::ComponentWorld world{
      {[this](const auto& request, Timestamp now) { return api.handle(request, now); },
       [this](Timestamp) { return api.take_events(); }}};
};

class KubeletTest : public ::testing::Test, protected Scene {};

TEST_F(KubeletTest, StartsAPodAndMakesItReady) {
  start();
  create_pod("web-1");
  world.run_for(kSecond);
  EXPECT_EQ(phase("web-1"), "Pending");
  EXPECT_EQ(text_at(container("web-1"), {"state", "waiting", "reason"}), "ContainerCreating");
  EXPECT_EQ(text_at(pod("web-1"), {"status", "hostIP"}), "172.18.0.1");
  EXPECT_EQ(text_at(pod("web-1"), {"status", "podIP"}), "");
  world.run_for(kSecond);
  EXPECT_EQ(phase("web-1"), "Running");
  EXPECT_EQ(condition("web-1", "Ready"), "False");
  EXPECT_EQ(condition("web-1", "PodReadyToStartContainers"), "True");
  EXPECT_EQ(text_at(pod("web-1"), {"status", "podIP"}), "10.240.0.1");
  world.run_for(kSecond);
  for (const char* type :
       {"PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"}) {
    EXPECT_EQ(condition("web-1", type), "True") << type;
  }
  EXPECT_TRUE(schema::is_true_at(container("web-1"), {"ready"}));
  EXPECT_EQ(events("Started"), "Container started: web\n");
  const std::size_t effects = world.effects();
  world.run_for(3600 * kSecond);
  EXPECT_EQ(world.effects(), effects) << "a pod that is ready needs nothing";
}

TEST_F(KubeletTest, TakesDelaysBetweenTheBoundsAndTheSameForTheSameSeed) {
  settings.start_delay = {kSecond, 10 * kSecond};
  const PodPlan plan{.containers = {{.name = "web", .image = "nginx"}}};
  std::set<Timestamp> seen;
  for (int i = 0; i < 50; ++i) {
    const PodLifecycle life = accept_pod(plan, testing::kNow);
    const std::uint64_t random = random_of(7, fmt::format("uid-{}", i));
    const Timestamp at = next_step_at(life, plan, settings, random);
    EXPECT_GE(elapsed_ns(testing::kNow, at), kSecond);
    EXPECT_LE(elapsed_ns(testing::kNow, at), 10 * kSecond);
    EXPECT_EQ(at, next_step_at(life, plan, settings, random));
    seen.insert(at);
  }
  EXPECT_GT(seen.size(), 40U);
}

TEST_F(KubeletTest, RunsInitContainersFirst) {
  start();
  create_pod("web-1", "{}",
             R"("initContainers":[{"name":"one","image":"busybox"},
                {"name":"side","image":"proxy","restartPolicy":"Always"}],)");
  world.run_for(kSecond);
  const auto inits = [&] {
    std::string states;
    const boost::json::object object = pod("web-1");
    for (const auto& each : *schema::array_at(object, {"status", "initContainerStatuses"})) {
      states += std::string(schema::object_at(each.as_object(), {"state"})->begin()->key()) + " ";
    }
    return states;
  };
  EXPECT_EQ(inits(), "running waiting ");
  EXPECT_EQ(condition("web-1", "Initialized"), "False");
  world.run_for(2 * kSecond);
  EXPECT_EQ(inits(), "terminated running ");
  world.run_for(2 * kSecond);
  EXPECT_EQ(condition("web-1", "Initialized"), "True");
  EXPECT_EQ(phase("web-1"), "Pending");
  world.run_for(3 * kSecond);
  EXPECT_EQ(condition("web-1", "Ready"), "True");
  EXPECT_EQ(inits(), "terminated running ");
}

TEST_F(KubeletTest, LeavesUnboundPodsAlone) {
  start();
  world.create(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{}})");
  world.run_for(60 * kSecond);
  EXPECT_EQ(world.effects(), 0U);
}

TEST_F(KubeletTest, EndsATerminatingPodAfterTheShorterOfGraceAndSetting) {
  settings.termination = {10 * kSecond, 10 * kSecond};
  start();
  create_pod("long");
  create_pod("short", "{}", R"("terminationGracePeriodSeconds":3,)");
  world.run_for(10 * kSecond);
  world.request(testing::delete_request("/api/v1/namespaces/default/pods/long"));
  world.request(testing::delete_request("/api/v1/namespaces/default/pods/short"));
  world.run_for(2 * kSecond);
  EXPECT_EQ(api.list("pods").size(), 2U);
  world.run_for(kSecond);
  EXPECT_EQ(phase("short"), "");
  EXPECT_EQ(phase("long"), "Running");
  world.run_for(7 * kSecond);
  EXPECT_EQ(phase("long"), "");
  EXPECT_EQ(events("Killing"), "Stopping container web\nStopping container web\n");
}

TEST_F(KubeletTest, DoesNotInsistWhereFinalizersHoldAPod) {
  start();
  world.create(R"({"apiVersion":"v1","kind":"Pod",
    "metadata":{"name":"p","finalizers":["example.com/x"]},"spec":{"nodeName":"n1"}})");
  world.run_for(10 * kSecond);
  world.request(testing::delete_request("/api/v1/namespaces/default/pods/p"));
  world.run_for(10 * kSecond);
  const std::size_t effects = world.effects();
  world.run_for(600 * kSecond);
  EXPECT_EQ(world.effects(), effects);
  EXPECT_EQ(api.list("pods").size(), 1U);
}

TEST_F(KubeletTest, DoesNotTouchASuccessorOfTheSameName) {
  start();
  create_pod("p");
  world.run_for(kSecond);
  world.request(
      testing::delete_request("/api/v1/namespaces/default/pods/p", R"({"gracePeriodSeconds":0})"));
  create_pod("p");
  world.run_for(20 * kSecond);
  EXPECT_EQ(condition("p", "Ready"), "True");
}

TEST_F(KubeletTest, ObeysAnnotations) {
  start();
  create_pod("never", R"({"ebb.dev/never-ready":"true"})");
  create_pod("slow", R"({"ebb.dev/start-delay":"20s","ebb.dev/ready-delay":"5s"})");
  create_pod("job", R"({"ebb.dev/complete-after":"10s"})", R"("restartPolicy":"Never",)");
  world.run_for(10 * kSecond);
  EXPECT_EQ(phase("never"), "Running");
  EXPECT_EQ(phase("slow"), "Pending");
  EXPECT_EQ(condition("job", "Ready"), "True");
  world.run_for(12 * kSecond);
  EXPECT_EQ(phase("job"), "Succeeded");
  EXPECT_EQ(text_at(container("job"), {"state", "terminated", "reason"}), "Completed");
  EXPECT_EQ(condition("job", "Ready"), "False");
  EXPECT_EQ(phase("slow"), "Running");
  EXPECT_EQ(condition("slow", "Ready"), "False");
  world.run_for(600 * kSecond);
  EXPECT_EQ(condition("slow", "Ready"), "True");
  EXPECT_EQ(condition("never", "Ready"), "False");
}

TEST_F(KubeletTest, CrashesAndRestartsWhereAskedTo) {
  start();
  create_pod("p", R"({"ebb.dev/crash-every":"30s"})");
  world.run_for(10 * kSecond);
  EXPECT_EQ(condition("p", "Ready"), "True");
  world.run_for(23 * kSecond);
  EXPECT_EQ(text_at(container("p"), {"state", "waiting", "reason"}), "CrashLoopBackOff");
  EXPECT_EQ(text_at(container("p"), {"lastState", "terminated", "reason"}), "Error");
  EXPECT_EQ(condition("p", "Ready"), "False");
  EXPECT_NE(events("BackOff"), "");
  const std::string lived_since(text_at(container("p"), {"lastState", "terminated", "startedAt"}));
  EXPECT_LT(lived_since, text_at(container("p"), {"lastState", "terminated", "finishedAt"}));
  world.run_for(10 * kSecond);
  EXPECT_EQ(condition("p", "Ready"), "True");
  EXPECT_EQ(text_at(container("p"), {"lastState", "terminated", "startedAt"}), lived_since);
  EXPECT_EQ(schema::integer_at(container("p"), {"restartCount"}), 1);
  world.run_for(120 * kSecond);
  EXPECT_GE(*schema::integer_at(container("p"), {"restartCount"}), 4);
}

TEST_F(KubeletTest, ReportsInvalidAnnotations) {
  start();
  create_pod("p", R"({"ebb.dev/crash-every":"often","ebb.dev/never-ready":"perhaps",
                      "ebb.dev/complete-after":"5s"})");
  world.run_for(10 * kSecond);
  EXPECT_EQ(condition("p", "Ready"), "True");
  const std::string told = events("InvalidAnnotation");
  EXPECT_NE(told.find("crash-every: \"often\" is ignored"), std::string::npos) << told;
  EXPECT_NE(told.find("never-ready: \"perhaps\" is ignored"), std::string::npos) << told;
  EXPECT_NE(told.find("it requires restartPolicy Never"), std::string::npos) << told;
}

TEST_F(KubeletTest, EvictsPodsThatDoNotTolerateATaint) {
  start();
  create_pod("leaves");
  create_pod("stays", "{}", R"("tolerations":[{"operator":"Exists"}],)");
  create_pod("for-a-while", "{}",
             R"("tolerations":[{"key":"k","operator":"Exists","tolerationSeconds":60}],)");
  world.run_for(10 * kSecond);
  world.request(testing::merge_request(
      "/api/v1/nodes/n1", R"({"spec":{"taints":[{"key":"k","effect":"NoExecute"}]}})"));
  world.run_for(10 * kSecond);
  EXPECT_EQ(phase("leaves"), "");
  EXPECT_EQ(phase("stays"), "Running");
  EXPECT_EQ(phase("for-a-while"), "Running");
  world.run_for(52 * kSecond);
  EXPECT_EQ(phase("for-a-while"), "");
  EXPECT_EQ(phase("stays"), "Running");
}

TEST_F(KubeletTest, DeletesPodsWhoseNodeIsGone) {
  start();
  create_pod("p");
  world.run_for(10 * kSecond);
  world.request(testing::delete_request("/api/v1/nodes/n1"));
  world.run_for(10 * kSecond);
  EXPECT_EQ(phase("p"), "");
}

TEST_F(KubeletTest, GoesOnWhereItWasAfterARestart) {
  start();
  create_pod("ready");
  create_pod("crashy", R"({"ebb.dev/crash-every":"60s"})");
  world.run_for(10 * kSecond);
  create_pod("starting");
  world.run_for(kSecond);
  const std::string before = boost::json::serialize(pod("ready"));
  const std::string address(text_at(pod("ready"), {"status", "podIP"}));

  Kubelet again(settings);
  testing::ComponentWorld second(
      {[this](const auto& request, Timestamp now) { return api.handle(request, now); },
       [this](Timestamp) { return api.take_events(); }},
      world.now());
  second.add(again, api.everything());
  second.run_for(10 * kSecond);
  EXPECT_EQ(boost::json::serialize(pod("ready")), before);
  EXPECT_EQ(condition("starting", "Ready"), "True");
  EXPECT_NE(text_at(pod("starting"), {"status", "podIP"}), address);
  second.run_for(43 * kSecond);
  EXPECT_EQ(text_at(container("crashy"), {"state", "waiting", "reason"}), "CrashLoopBackOff");
}

TEST(Kubelet, GetsThereDespiteFaults) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    Scene scene;
    scene.start();
    scene.world.set_faults({.seed = seed});
    for (int i = 0; i < 10; ++i) scene.create_pod(fmt::format("p{}", i));
    scene.world.run_for(60 * kSecond);
    for (int i = 0; i < 5; ++i) {
      scene.world.request(
          testing::delete_request(fmt::format("/api/v1/namespaces/default/pods/p{}", i)));
    }
    scene.world.run_for(60 * kSecond);
    scene.world.set_faults({});
    scene.world.run_for(60 * kSecond);
    std::set<std::string> addresses;
    for (int i = 0; i < 10; ++i) {
      const std::string name = fmt::format("p{}", i);
      EXPECT_EQ(scene.condition(name, "Ready"), i < 5 ? "" : "True") << name;
      if (i >= 5) addresses.emplace(text_at(scene.pod(name), {"status", "podIP"}));
    }
    EXPECT_EQ(addresses.size(), 5U);
  }
}

}  // namespace
}  // namespace ebb::hollow
