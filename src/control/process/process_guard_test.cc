// A whole process with guards, on an API server.
#include <string>
#include <utility>

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "control/process/process.h"
#include "model/api/requests.h"
#include "schema/core/json.h"
#include "support/control/process_scene.h"

namespace ebb::control {
namespace {

using testing::Scene;

constexpr std::string_view kSets = "/apis/apps/v1/namespaces/default/replicasets";
constexpr std::string_view kPods = "/api/v1/namespaces/default/pods";
constexpr std::string_view kCanaries = "/apis/apps/v1/namespaces/kube-system";

ProcessSettings guarded() {
  ProcessSettings settings;
  settings.gates.set(model::Gate::kDownscalePodPicker, false);
  settings.gates.set(model::Gate::kPodCostRanking, false);
  settings.sole_controller.emplace();
  settings.sole_controller->canary_name = "ebb-controller";
  return settings;
}

std::string set_json(std::string_view name, int replicas) {
  return fmt::format(
      R"({{"metadata":{{"name":"{0}"}},"spec":{{"replicas":{1},
          "selector":{{"matchLabels":{{"app":"{0}"}}}},
          "template":{{"metadata":{{"labels":{{"app":"{0}"}}}},
                       "spec":{{"containers":[{{"name":"c","image":"i"}}]}}}}}}}})",
      name, replicas);
}

std::string pod_json(std::string_view name, std::string_view app, std::string_view set,
                     std::string_view set_uid) {
  return fmt::format(
      R"({{"metadata":{{"name":"{}","labels":{{"app":"{}"}},
          "ownerReferences":[{{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"{}",
                               "uid":"{}","controller":true}}]}},
          "spec":{{"containers":[{{"name":"c","image":"i"}}]}}}})",
      name, app, set, set_uid);
}

class ProcessGuardTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(served_.post(kSets, set_json("web", 2)).code, 201); }

  [[nodiscard]] std::size_t pods() {
    const auto list = testing::carry_out(served_, model::get_request(std::string(kPods)));
    return boost::json::parse(list.response.body.str()).at("items").as_array().size();
  }
  [[nodiscard]] std::int64_t observed_of(std::string_view path) {
    const auto one = testing::carry_out(served_, model::get_request(std::string(path)));
    const auto document = boost::json::parse(one.response.body.str());
    return schema::integer_at(document.as_object(), {"status", "observedGeneration"}).value_or(0);
  }
  void acknowledge(std::string_view plural, std::int64_t generation) {
    const std::string path = fmt::format("{}/{}/ebb-controller/status", kCanaries, plural);
    const auto answer = testing::carry_out(
        served_, model::merge_patch_request(
                     path, {{"status", {{"replicas", 0}, {"observedGeneration", generation}}}}));
    ASSERT_EQ(answer.response.code, 200);
  }
  void scale(std::string_view name, int replicas) {
    (void)testing::carry_out(served_,
                             model::merge_patch_request(fmt::format("{}/{}", kSets, name),
                                                        {{"spec", {{"replicas", replicas}}}}));
  }

  testing::ApiServerScene served_;
};

TEST_F(ProcessGuardTest, ActsOnlyAfterTheWaitAndNeverSyncsItsCanaries) {
  Scene scene(served_, guarded(), Scene::Cast::kReal);
  scene.start();
  scene.settle_for(55 * kSecond);
  EXPECT_TRUE(scene.process->synced());
  EXPECT_EQ(pods(), 0U);
  EXPECT_EQ(scene.process->guard_statuses(scene.now()).size(), 2U);
  scene.settle_for(15 * kSecond);
  EXPECT_EQ(pods(), 2U);
  for (const GuardStatus& status : scene.process->guard_statuses(scene.now())) {
    EXPECT_TRUE(status.acting) << status.reason;
  }
  EXPECT_EQ(observed_of(fmt::format("{}/web", kSets)), 1);
  EXPECT_EQ(observed_of(fmt::format("{}/replicasets/ebb-controller", kCanaries)), 0);
  EXPECT_EQ(observed_of(fmt::format("{}/deployments/ebb-controller", kCanaries)), 0);
}

TEST_F(ProcessGuardTest, WithoutOptionsItActsAtOnce) {
  ProcessSettings settings = guarded();
  settings.sole_controller.reset();
  Scene scene(served_, settings, Scene::Cast::kReal);
  scene.start();
  scene.settle_for(kSecond);
  EXPECT_EQ(pods(), 2U);
  EXPECT_TRUE(scene.process->guard_statuses(scene.now()).empty());
}

TEST_F(ProcessGuardTest, ListsAgainBeforeItTakesOver) {
  Scene scene(served_, guarded(), Scene::Cast::kReal);
  scene.start();
  scene.settle_for(kSecond);
  const std::int64_t lists = scene.telemetry.counts[Count::kLists];
  scene.settle_for(70 * kSecond);
  EXPECT_EQ(scene.telemetry.counts[Count::kLists], lists + 3) << "pods, ReplicaSets, Deployments";
  EXPECT_EQ(scene.telemetry.counts[Count::kTakeOvers], 2);
}

TEST_F(ProcessGuardTest, AnAcknowledgementStopsThatControllerOnly) {
  Scene scene(served_, guarded(), Scene::Cast::kReal);
  scene.start();
  scene.settle_for(70 * kSecond);
  ASSERT_EQ(pods(), 2U);
  acknowledge("replicasets", 1);
  scene.settle_for(5 * kSecond);
  scale("web", 5);
  scene.settle_for(20 * kSecond);
  EXPECT_EQ(pods(), 2U);
  const auto statuses = scene.process->guard_statuses(scene.now());
  EXPECT_EQ(statuses[0].controller, "replicaset-controller");
  EXPECT_EQ(statuses[0].state, GuardState::kBlocked);
  EXPECT_TRUE(statuses[1].acting);
  // It is not acknowledged again.
  scene.settle_for(80 * kSecond);
  EXPECT_EQ(pods(), 5U);
}

TEST_F(ProcessGuardTest, WritesThatWaitForTheRateLimitAreNotSentAfterAnAcknowledgement) {
  ProcessSettings settings = guarded();
  settings.deployments = false;
  settings.qps = 1;
  settings.burst = 1;
  Scene scene(served_, settings, Scene::Cast::kReal);
  scene.start();
  scene.settle_for(120 * kSecond);
  ASSERT_EQ(pods(), 2U);
  scale("web", 30);
  scene.settle_for(3 * kSecond);
  acknowledge("replicasets", 1);
  scene.settle_for(5 * kSecond);
  const std::size_t then = pods();
  EXPECT_LT(then, 20U);
  scene.settle_for(25 * kSecond);
  EXPECT_EQ(pods(), then);
  EXPECT_GT(scene.telemetry.counts[Count::kCallsWithdrawn], 0);
}

// Nothing but the process itself leads to another sync of this ReplicaSet.
TEST_F(ProcessGuardTest, AReleaseThatWasWithheldIsMadeAfterThePause) {
  ASSERT_EQ(served_.post(kSets, set_json("idle", 0)).code, 201);
  const std::string uid = served_.get(fmt::format("{}/idle", kSets)).text("metadata/uid");
  ASSERT_EQ(served_.post(kPods, pod_json("stray", "none", "idle", uid)).code, 201);
  ProcessSettings settings = guarded();
  settings.deployments = false;
  Scene scene(served_, settings, Scene::Cast::kReal);
  bool throttled = false;
  scene.instead_of_server = [&](const Call& call) {
    if (!call.request.path.ends_with("/stray") || std::exchange(throttled, true)) return false;
    scene.answer(call, testing::answer_of(429, 10));
    return true;
  };
  scene.start();
  for (int seconds = 0; seconds < 100 && !throttled; ++seconds) scene.settle_for(kSecond);
  ASSERT_TRUE(throttled);
  acknowledge("replicasets", 1);
  scene.settle_for(15 * kSecond);
  EXPECT_GT(scene.telemetry.counts[Count::kCallsWithdrawn], 0);
  const std::string owner = "metadata/ownerReferences/0/uid";
  EXPECT_EQ(served_.get(fmt::format("{}/stray", kPods)).text(owner), uid);
  scene.settle_for(90 * kSecond);
  EXPECT_EQ(served_.get(fmt::format("{}/stray", kPods)).text(owner), "null");
}

TEST_F(ProcessGuardTest, WithoutTheRightToTheCanaryItEnds) {
  Scene scene(served_, guarded(), Scene::Cast::kReal);
  scene.instead_of_server = [&scene](const Call& call) {
    if (call.request.path.find("ebb-controller") == std::string::npos) return false;
    scene.answer(call, testing::answer_of(403));
    return true;
  };
  scene.start();
  scene.settle_for(20 * kSecond);
  EXPECT_TRUE(scene.process->done());
  EXPECT_TRUE(scene.process->canary_forbidden());
  EXPECT_EQ(pods(), 0U);
  const auto statuses = scene.process->guard_statuses(scene.now());
  ASSERT_FALSE(statuses.empty());
  EXPECT_EQ(statuses[0].state, GuardState::kForbidden);
}

TEST_F(ProcessGuardTest, AStandbyTakesOverWithoutAWait) {
  ProcessSettings settings = guarded();
  settings.lease = LeaseSettings{.identity = "one"};
  Scene one(served_, settings, Scene::Cast::kReal);
  settings.lease->identity = "two";
  Scene two(served_, settings, Scene::Cast::kReal);
  one.start();
  one.settle();
  two.start();
  const auto both = [&](Nanoseconds ns) {
    for (Nanoseconds passed = 0; passed < ns; passed += kSecond / 4) {
      one.settle();
      two.settle();
      served_.now = later_by(served_.now, kSecond / 4);
    }
  };
  both(150 * kSecond);
  ASSERT_EQ(pods(), 2U);
  EXPECT_EQ(two.process->guard_statuses(two.now())[0].state, GuardState::kStandby);
  scale("web", 3);
  one.stop();
  both(10 * kSecond);
  ASSERT_TRUE(one.process->done());
  EXPECT_EQ(pods(), 3U);
  scale("web", 4);
  both(5 * kSecond);
  EXPECT_EQ(pods(), 4U);
}

TEST_F(ProcessGuardTest, AForeignPodPausesItsReplicaSetOnlyAndProbes) {
  ASSERT_EQ(served_.post(kSets, set_json("other", 1)).code, 201);
  ProcessSettings settings = guarded();
  settings.deployments = false;
  Scene scene(served_, settings, Scene::Cast::kReal);
  scene.start();
  scene.settle_for(70 * kSecond);
  ASSERT_EQ(pods(), 3U);
  const std::string uid = served_.get(fmt::format("{}/web", kSets)).text("metadata/uid");
  ASSERT_EQ(served_.post(kPods, pod_json("forged", "web", "web", uid)).code, 201);
  scene.settle_for(kSecond);
  scale("web", 4);
  scale("other", 2);
  scene.settle_for(3 * kSecond);
  EXPECT_EQ(pods(), 5U) << "the other ReplicaSet got its pod, web none";
  EXPECT_EQ(scene.telemetry.counts[Count::kForeignWrites], 1);
  EXPECT_EQ(scene.telemetry.counts[Count::kCanariesArmed], 2) << "made, and armed once more";
  scene.settle_for(10 * kSecond);
  EXPECT_EQ(pods(), 6U);
  EXPECT_TRUE(scene.process->guard_statuses(scene.now())[0].acting);
}

TEST_F(ProcessGuardTest, AProcessWithoutALeaseTakesItsCanariesAlong) {
  ProcessSettings settings = guarded();
  settings.sole_controller->delete_on_stop = true;
  Scene scene(served_, settings, Scene::Cast::kReal);
  scene.start();
  scene.settle_for(70 * kSecond);
  ASSERT_EQ(pods(), 2U);
  scene.stop();
  scene.settle_for(15 * kSecond);
  EXPECT_TRUE(scene.process->done());
  EXPECT_EQ(served_.get(fmt::format("{}/replicasets/ebb-controller", kCanaries)).code, 404);
  EXPECT_EQ(served_.get(fmt::format("{}/deployments/ebb-controller", kCanaries)).code, 404);
}

TEST_F(ProcessGuardTest, TheYoungerOfTwoDeploymentsIsKeptFromActing) {
  ProcessSettings settings = guarded();
  settings.sole_controller->canary_name = "older";
  Scene older(served_, settings, Scene::Cast::kReal);
  older.start();
  older.settle();
  served_.now = later_by(served_.now, 2 * kSecond);
  settings.sole_controller->canary_name = "younger";
  Scene younger(served_, settings, Scene::Cast::kReal);
  younger.start();
  for (int quarters = 0; quarters < 4 * 200; ++quarters) {
    older.settle();
    younger.settle();
    served_.now = later_by(served_.now, kSecond / 4);
  }
  EXPECT_TRUE(older.process->guard_statuses(older.now())[0].acting);
  EXPECT_EQ(younger.process->guard_statuses(younger.now())[0].state, GuardState::kBlocked);
  EXPECT_TRUE(older.process->guard_statuses(older.now())[1].acting);
  EXPECT_EQ(younger.process->guard_statuses(younger.now())[1].state, GuardState::kBlocked);
  EXPECT_EQ(pods(), 2U);
}

}  // namespace
}  // namespace ebb::control
