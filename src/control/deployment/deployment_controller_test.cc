// The Deployment controller as a whole, against the embedded API server.
#include "control/deployment/deployment_controller.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "schema/core/json.h"
#include "support/control/deployment_scene.h"

namespace ebb::control {
namespace {

namespace json = boost::json;
using schema::integer_at;
using schema::text_at;
using testing::deployment_json;
using testing::DeploymentScene;
using testing::image_patch;
using Fate = DeploymentScene::Fate;

std::int64_t status_number(DeploymentScene& scene, std::string_view name) {
  return integer_at(scene.read("deployments/web"), {"status", name}).value_or(0);
}

TEST(DeploymentController, MakesAReplicaSetForANewDeployment) {
  DeploymentScene scene;
  scene.create("deployments", R"({"kind":"Deployment","apiVersion":"apps/v1","metadata":{
    "name":"web","annotations":{"team":"a",
      "kubectl.kubernetes.io/last-applied-configuration":"x"}},
    "spec":{"replicas":4,"minReadySeconds":7,"selector":{"matchLabels":{"app":"web"}},
    "template":{"metadata":{"labels":{"app":"web","tier":"x"}},
      "spec":{"containers":[{"name":"app","image":"web:1"}]}}}})");
  scene.run();

  ASSERT_EQ(scene.sets().size(), 1U);
  const json::object set = scene.sets().front();
  const std::string hash(text_at(set, {"metadata", "labels", "pod-template-hash"}));
  ASSERT_FALSE(hash.empty());
  EXPECT_EQ(text_at(set, {"metadata", "name"}), "web-" + hash);
  EXPECT_EQ(text_at(set, {"spec", "selector", "matchLabels", "pod-template-hash"}), hash);
  EXPECT_EQ(text_at(set, {"spec", "selector", "matchLabels", "app"}), "web");
  EXPECT_EQ(text_at(set, {"spec", "template", "metadata", "labels", "pod-template-hash"}), hash);
  EXPECT_EQ(text_at(set, {"metadata", "labels", "tier"}), "x");
  EXPECT_EQ(integer_at(set, {"spec", "replicas"}), 4);
  EXPECT_EQ(integer_at(set, {"spec", "minReadySeconds"}), 7);
  const json::object& owner = set.at("metadata").at("ownerReferences").at(0).as_object();
  EXPECT_EQ(text_at(owner, {"uid"}), text_at(scene.read("deployments/web"), {"metadata", "uid"}));
  const json::object expected{{"team", "a"},
                              {"deployment.kubernetes.io/revision", "1"},
                              {"deployment.kubernetes.io/desired-replicas", "4"},
                              {"deployment.kubernetes.io/max-replicas", "5"}};
  EXPECT_EQ(set.at("metadata").at("annotations").as_object(), expected);

  EXPECT_EQ(text_at(scene.read("deployments/web"),
                    {"metadata", "annotations", "deployment.kubernetes.io/revision"}),
            "1");
  EXPECT_EQ(scene.condition("Progressing"), "True NewReplicaSetCreated");
  EXPECT_EQ(scene.condition("Available"), "False MinimumReplicasUnavailable");
  EXPECT_EQ(scene.events,
            std::vector<std::string>{fmt::format(
                "Normal ScalingReplicaSet Scaled up replica set web-{} from 0 to 4", hash)});
}

TEST(DeploymentController, ComesToRestWhenAllIsAvailable) {
  DeploymentScene scene;
  scene.create("deployments", deployment_json(3));
  scene.roll();
  EXPECT_EQ(scene.condition("Progressing"), "True NewReplicaSetAvailable");
  EXPECT_EQ(scene.condition("Available"), "True MinimumReplicasAvailable");
  EXPECT_EQ(status_number(scene, "replicas"), 3);
  EXPECT_EQ(status_number(scene, "updatedReplicas"), 3);
  EXPECT_EQ(status_number(scene, "readyReplicas"), 3);
  EXPECT_EQ(status_number(scene, "availableReplicas"), 3);
  EXPECT_EQ(status_number(scene, "unavailableReplicas"), 0);
  EXPECT_EQ(status_number(scene, "observedGeneration"), 1);

  const std::size_t calls = scene.calls.size();
  scene.pass_seconds(5);
  scene.restart();
  scene.run();
  EXPECT_EQ(scene.calls.size(), calls) << fmt::format("{}", scene.calls);
}

TEST(DeploymentController, RollsWithinTheBoundsOfSurgeAndAvailability) {
  DeploymentScene scene;
  scene.create("deployments", deployment_json(10));
  scene.roll();
  for (const char* image : {"web:2", "web:3", "web:4"}) {
    scene.edit("deployments/web", image_patch(image));
    int steps = 0;
    scene.roll([&] {
      ++steps;
      std::int64_t wanted = 0;
      std::int64_t available = 0;
      for (const json::object& set : scene.sets()) {
        const std::int64_t size = *integer_at(set, {"spec", "replicas"});
        wanted += size;
        available += std::min(size, integer_at(set, {"status", "availableReplicas"}).value_or(0));
      }
      EXPECT_LE(wanted, 13);    // 25% of 10, rounded up
      EXPECT_GE(available, 8);  // 25% of 10, rounded down
    });
    EXPECT_GT(steps, 2) << "all at once is no rolling update";
    EXPECT_EQ(scene.condition("Progressing"), "True NewReplicaSetAvailable");
  }
  EXPECT_EQ(scene.sizes(), "0 0 0 10");
  EXPECT_EQ(text_at(scene.read("deployments/web"),
                    {"metadata", "annotations", "deployment.kubernetes.io/revision"}),
            "4");
}

TEST(DeploymentController, TakesTheStepsThatUpstreamTakes) {
  DeploymentScene scene;
  scene.create("deployments", deployment_json(4));
  scene.roll();
  scene.events.clear();
  scene.edit("deployments/web", image_patch("web:2"));
  scene.roll();
  const std::string before = scene.set_name(0);
  const std::string after = scene.set_name(1);
  const auto scaled = [](std::string_view how, std::string_view set, int from, int to) {
    return fmt::format("Normal ScalingReplicaSet Scaled {} replica set {} from {} to {}", how, set,
                       from, to);
  };
  EXPECT_EQ(scene.events, (std::vector<std::string>{
                              scaled("up", after, 0, 1),
                              scaled("down", before, 4, 3),
                              scaled("up", after, 1, 2),
                              scaled("down", before, 3, 1),
                              scaled("up", after, 2, 4),
                              scaled("down", before, 1, 0),
                          }));
}

// The new pods never become available, so the available old ones stay.
TEST(DeploymentController, ABrokenTemplateStopsTheRollout) {
  DeploymentScene scene;
  scene.create("deployments", deployment_json(10, R"("progressDeadlineSeconds":30)"));
  scene.roll();
  scene.edit("deployments/web", image_patch("web:broken"));
  for (int i = 0; i < 10; ++i) {
    scene.run();
    const std::string old = scene.set_name(0);
    scene.settle(0);
    const std::int64_t size = *integer_at(scene.sets()[0], {"spec", "replicas"});
    scene.set_status(old, size, size);
    scene.pass_seconds(1);
  }
  EXPECT_EQ(scene.sizes(), "8 5");
  EXPECT_EQ(scene.condition("Progressing"), "True ReplicaSetUpdated");
  scene.pass_seconds(32);
  EXPECT_EQ(scene.condition("Progressing"), "False ProgressDeadlineExceeded");
  EXPECT_EQ(scene.sizes(), "8 5");

  scene.edit("deployments/web", image_patch("web:1"));
  scene.roll();
  EXPECT_EQ(scene.sizes(), "10 0");
  EXPECT_EQ(scene.condition("Progressing"), "True NewReplicaSetAvailable");
}

TEST(DeploymentController, RecreateWaitsForTheLastOldPod) {
  DeploymentScene scene;
  scene.create("deployments", deployment_json(3, R"("strategy":{"type":"Recreate"})"));
  scene.roll();
  const json::object old = scene.sets()[0];
  const std::string reference =
      json::serialize(json::object{{"apiVersion", "apps/v1"},
                                   {"kind", "ReplicaSet"},
                                   {"name", text_at(old, {"metadata", "name"})},
                                   {"uid", text_at(old, {"metadata", "uid"})},
                                   {"controller", true}});
  for (const char* name : {"web-a", "web-b"}) {
    scene.create("pods", fmt::format(R"({{"kind":"Pod","apiVersion":"v1","metadata":{{
        "name":"{}","labels":{{"app":"web"}},"ownerReferences":[{}]}},
        "spec":{{"containers":[{{"name":"app","image":"web:1"}}]}}}})",
                                     name, reference));
  }
  scene.run();
  scene.edit("deployments/web", image_patch("web:2"));
  scene.run();
  EXPECT_EQ(scene.sizes(), "0");
  scene.settle();
  scene.run();
  EXPECT_EQ(scene.sizes(), "0") << "its ReplicaSet has no pods, but pods are still there";
  scene.remove("pods/web-a");
  scene.run();
  EXPECT_EQ(scene.sizes(), "0");
  scene.remove("pods/web-b");
  scene.run();
  EXPECT_EQ(scene.sizes(), "0 3");
  scene.roll();
  EXPECT_EQ(scene.condition("Progressing"), "True NewReplicaSetAvailable");
}

TEST(DeploymentController, ScalesWithoutARolloutInOneWrite) {
  DeploymentScene scene;
  scene.create("deployments", deployment_json(10));
  scene.roll();
  scene.calls.clear();
  scene.edit("deployments/web", R"({"spec":{"replicas":5}})");
  scene.run();
  const json::object set = scene.sets()[0];
  EXPECT_EQ(scene.sizes(), "5");
  EXPECT_EQ(text_at(set, {"metadata", "annotations", "deployment.kubernetes.io/desired-replicas"}),
            "5");
  EXPECT_EQ(text_at(set, {"metadata", "annotations", "deployment.kubernetes.io/max-replicas"}),
            "7");
  EXPECT_EQ(scene.calls[0], "PUT replicasets/" + scene.set_name(0));
  EXPECT_EQ(scene.calls[1], "PUT deployments/web/status");
  EXPECT_LE(scene.calls.size(), 3U) << fmt::format("{}", scene.calls);
}

TEST(DeploymentController, ScalesInTheMiddleOfARolloutInProportion) {
  DeploymentScene scene;
  scene.create("deployments", deployment_json(10, R"("strategy":{"rollingUpdate":{"maxSurge":3,)"
                                                  R"("maxUnavailable":2}})"));
  scene.roll();
  scene.edit("deployments/web", image_patch("web:broken"));
  for (int i = 0; i < 4; ++i) {
    scene.run();
    scene.set_status(scene.set_name(0), *integer_at(scene.sets()[0], {"spec", "replicas"}),
                     *integer_at(scene.sets()[0], {"spec", "replicas"}));
    scene.set_status(scene.set_name(1), *integer_at(scene.sets()[1], {"spec", "replicas"}), 0);
  }
  scene.run();
  ASSERT_EQ(scene.sizes(), "8 5");
  scene.edit("deployments/web", R"({"spec":{"replicas":30}})");
  scene.run();
  EXPECT_EQ(scene.sizes(), "20 13");
}

TEST(DeploymentController, WhilePausedItScalesButDoesNotRoll) {
  DeploymentScene scene;
  scene.create("deployments", deployment_json(1));
  scene.roll();
  scene.edit("deployments/web", R"({"spec":{"paused":true}})");
  scene.run();
  EXPECT_EQ(scene.condition("Progressing"), "Unknown DeploymentPaused");
  scene.edit("deployments/web", image_patch("web:2"));
  scene.edit("deployments/web", R"({"spec":{"replicas":10}})");
  scene.roll();
  EXPECT_EQ(scene.sizes(), "10");
  EXPECT_EQ(scene.condition("Progressing"), "Unknown DeploymentPaused");
  EXPECT_EQ(status_number(scene, "updatedReplicas"), 0);

  scene.edit("deployments/web", R"({"spec":{"paused":false}})");
  scene.roll();
  EXPECT_EQ(scene.sizes(), "0 10");
  EXPECT_EQ(scene.condition("Progressing"), "True NewReplicaSetAvailable");
}

TEST(DeploymentController, APausedNewDeploymentGetsNoReplicaSet) {
  DeploymentScene scene;
  scene.create("deployments", deployment_json(2, R"("paused":true)"));
  scene.roll();
  EXPECT_EQ(scene.sets().size(), 0U);
  EXPECT_EQ(status_number(scene, "observedGeneration"), 1);
  scene.edit("deployments/web", R"({"spec":{"paused":false}})");
  scene.roll();
  EXPECT_EQ(scene.sizes(), "2");
}

TEST(DeploymentController, GoesBackToAnEarlierRevision) {
  DeploymentScene scene;
  scene.create("deployments", deployment_json(2));
  scene.roll();
  scene.edit("deployments/web", image_patch("web:2"));
  scene.roll();
  scene.events.clear();
  scene.calls.clear();
  scene.edit("deployments/web",
             R"({"metadata":{"annotations":{"deprecated.deployment.rollback.to":"0"}}})");
  scene.run();
  EXPECT_EQ(scene.calls.front(), "PUT deployments/web");
  EXPECT_EQ(scene.events.front(),
            "Normal DeploymentRollback Rolled back deployment \"web\" to revision 1");
  scene.roll();
  const json::object deployment = scene.read("deployments/web");
  EXPECT_EQ(
      text_at(deployment.at("spec").at("template").at("spec").at("containers").at(0).as_object(),
              {"image"}),
      "web:1");
  EXPECT_EQ(
      schema::lookup(deployment, {"spec", "template", "metadata", "labels", "pod-template-hash"}),
      nullptr);
  EXPECT_EQ(text_at(deployment, {"metadata", "annotations", "deprecated.deployment.rollback.to"}),
            "");
  EXPECT_EQ(scene.sizes(), "2 0");
  const json::object annotations = scene.sets()[0].at("metadata").at("annotations").as_object();
  EXPECT_EQ(text_at(annotations, {"deployment.kubernetes.io/revision"}), "3");
  EXPECT_EQ(text_at(annotations, {"deployment.kubernetes.io/revision-history"}), "1");
}

TEST(DeploymentController, SaysWhyItDoesNotGoBack) {
  struct Case {
    const char* to;
    const char* note;
  };
  const Case cases[] = {
      {"0", "Warning DeploymentRollbackRevisionNotFound Unable to find last revision."},
      {"77",
       "Warning DeploymentRollbackRevisionNotFound Unable to find the revision to rollback to."},
      {"1",
       "Warning DeploymentRollbackTemplateUnchanged The rollback revision contains the same "
       "template as current deployment \"web\""},
  };
  for (const Case& c : cases) {
    DeploymentScene scene;
    scene.create("deployments", deployment_json(2));
    scene.roll();
    scene.events.clear();
    scene.edit("deployments/web", fmt::format(R"({{"metadata":{{"annotations":{{)"
                                              R"("deprecated.deployment.rollback.to":"{}"}}}}}})",
                                              c.to));
    scene.roll();
    EXPECT_EQ(scene.events, std::vector<std::string>{c.note});
    EXPECT_EQ(text_at(scene.read("deployments/web"),
                      {"metadata", "annotations", "deprecated.deployment.rollback.to"}),
              "");
    EXPECT_EQ(scene.sizes(), "2");
  }
}

TEST(DeploymentController, KeepsNoMoreHistoryThanAsked) {
  DeploymentScene scene;
  scene.create("deployments", deployment_json(1, R"("revisionHistoryLimit":2)"));
  scene.roll();
  std::vector<std::string> names = {scene.set_name(0)};
  for (int version = 2; version <= 5; ++version) {
    scene.pass_seconds(1);
    scene.edit("deployments/web", image_patch(fmt::format("web:{}", version)));
    scene.roll();
    names.push_back(std::string(text_at(scene.sets().back(), {"metadata", "name"})));
  }
  ASSERT_EQ(scene.sets().size(), 3U);
  EXPECT_EQ(scene.set_name(0), names[2]);
  EXPECT_EQ(scene.set_name(2), names[4]);
  const auto deletion =
      std::find(scene.calls.begin(), scene.calls.end(), "DELETE replicasets/" + names[0]);
  ASSERT_NE(deletion, scene.calls.end());
  const auto& body = scene.requests[static_cast<std::size_t>(deletion - scene.calls.begin())].body;
  EXPECT_NE(body.find(R"("preconditions":{"uid":)"), std::string::npos) << body;
}

// Another ReplicaSet has the name of the new one.
TEST(DeploymentController, CountsACollisionAndTakesAnotherName) {
  DeploymentScene scene;
  scene.create("deployments", deployment_json(2));
  scene.roll();
  const std::string name = scene.set_name(0);
  scene.edit("replicasets/" + name,
             R"({"spec":{"template":{"spec":{"terminationGracePeriodSeconds":7}}}})");
  scene.run();
  scene.pass_seconds(1);
  scene.roll();
  EXPECT_EQ(status_number(scene, "collisionCount"), 1);
  EXPECT_EQ(scene.counted(Count::kHashCollisions), 1);
  ASSERT_EQ(scene.sets().size(), 2U);
  EXPECT_EQ(text_at(scene.read("deployments/web"),
                    {"metadata", "annotations", "deployment.kubernetes.io/revision"}),
            "2");
  EXPECT_EQ(*integer_at(scene.read("replicasets/" + name), {"spec", "replicas"}), 0);
}

TEST(DeploymentController, ReportsWhyAReplicaSetCannotBeCreated) {
  DeploymentScene scene;
  scene.create("deployments", deployment_json(2));
  scene.fate = [](const model::ApiRequest& request) {
    return request.method == model::Method::kPost ? Fate::kServerFails : Fate::kCarriedOut;
  };
  scene.run();
  ASSERT_FALSE(scene.events.empty());
  EXPECT_TRUE(scene.events[0].starts_with(
      "Warning ReplicaSetCreateError Failed to create new replica set \"web-"))
      << scene.events[0];
  EXPECT_EQ(scene.condition("Progressing"), "False ReplicaSetCreateError");
  scene.fate = nullptr;
  scene.pass_seconds(2);
  scene.roll();
  EXPECT_EQ(scene.sizes(), "2");
  EXPECT_EQ(scene.condition("Progressing"), "True NewReplicaSetAvailable");
}

TEST(DeploymentController, OnlyReportsWhileBeingDeleted) {
  DeploymentScene scene;
  json::object body = json::parse(deployment_json(3)).as_object();
  body["metadata"].as_object()["finalizers"] = {"example.com/hold"};
  scene.create("deployments", json::serialize(body));
  scene.roll();
  scene.remove("deployments/web");
  scene.edit("deployments/web", R"({"spec":{"replicas":9}})");
  scene.calls.clear();
  scene.roll();
  EXPECT_EQ(scene.sizes(), "3");
  for (const std::string& call : scene.calls) EXPECT_EQ(call, "PUT deployments/web/status");
  EXPECT_FALSE(scene.calls.empty());
}

constexpr std::string_view kPicker =
    R"("downscalePodPicker":{"http":{"host":"picker.svc","path":"/pick"}})";

TEST(DeploymentController, CopiesThePickerToAllReplicaSetsAndRemovesItAgain) {
  DeploymentScene scene;
  scene.create("deployments", deployment_json(2));
  scene.roll();
  scene.edit("deployments/web", image_patch("web:2"));
  scene.roll();
  scene.edit("deployments/web", fmt::format(R"({{"spec":{{{}}}}})", kPicker));
  scene.roll();
  ASSERT_EQ(scene.sets().size(), 2U);
  for (const json::object& set : scene.sets()) {
    EXPECT_EQ(text_at(set, {"spec", "downscalePodPicker", "http", "host"}), "picker.svc");
  }
  scene.edit("deployments/web", image_patch("web:3"));
  scene.roll();
  EXPECT_EQ(text_at(scene.sets()[2], {"spec", "downscalePodPicker", "http", "path"}), "/pick");
  scene.edit("deployments/web", R"({"spec":{"downscalePodPicker":{"http":{"path":"/other"}}}})");
  scene.roll();
  for (const json::object& set : scene.sets()) {
    EXPECT_EQ(text_at(set, {"spec", "downscalePodPicker", "http", "path"}), "/other");
  }
  scene.edit("deployments/web", R"({"spec":{"downscalePodPicker":null}})");
  scene.roll();
  for (const json::object& set : scene.sets()) {
    EXPECT_EQ(schema::lookup(set, {"spec", "downscalePodPicker"}), nullptr);
  }
  EXPECT_EQ(scene.sizes(), "0 0 2") << "a picker causes no rollout";
}

TEST(DeploymentController, LeavesPickersAloneWhileTheGateIsOff) {
  model::FeatureGates off;
  off.set(model::Gate::kDownscalePodPicker, false);
  DeploymentScene scene(off);
  scene.create("deployments", deployment_json(2, kPicker));
  scene.roll();
  EXPECT_EQ(schema::lookup(scene.sets()[0], {"spec", "downscalePodPicker"}), nullptr);
  scene.restart();
  scene.roll();
  EXPECT_NE(schema::lookup(scene.sets()[0], {"spec", "downscalePodPicker"}), nullptr);
  scene.restart(off);
  scene.edit("deployments/web", R"({"spec":{"downscalePodPicker":null}})");
  scene.roll();
  EXPECT_NE(schema::lookup(scene.sets()[0], {"spec", "downscalePodPicker"}), nullptr);
}

TEST(DeploymentController, CountsTerminatingPodsWhileTheGateIsOn) {
  model::FeatureGates off;
  off.set(model::Gate::kDeploymentReplicaSetTerminatingReplicas, false);
  DeploymentScene scene(off);
  const auto terminating = [&] {
    return integer_at(scene.read("deployments/web"), {"status", "terminatingReplicas"});
  };
  scene.create("deployments", deployment_json(2));
  scene.roll();
  EXPECT_EQ(terminating(), std::nullopt);
  scene.restart();
  scene.roll();
  EXPECT_EQ(terminating(), 0);
  scene.restart(off);
  scene.roll();
  EXPECT_EQ(terminating(), std::nullopt);
}

// Annotations: added and changed ones reach the new ReplicaSet, removed ones stay.
TEST(DeploymentController, CopiesAnnotationsToTheNewReplicaSetOnly) {
  DeploymentScene scene;
  scene.create("deployments", deployment_json(1));
  scene.roll();
  scene.edit("deployments/web", image_patch("web:2"));
  scene.roll();
  scene.edit("deployments/web", R"({"metadata":{"annotations":{"note":"x"}}})");
  scene.roll();
  EXPECT_EQ(text_at(scene.sets()[0], {"metadata", "annotations", "note"}), "");
  EXPECT_EQ(text_at(scene.sets()[1], {"metadata", "annotations", "note"}), "x");
  scene.edit("deployments/web", R"({"metadata":{"annotations":{"note":null}}})");
  scene.edit("deployments/web", R"({"spec":{"minReadySeconds":5}})");
  scene.roll();
  EXPECT_EQ(text_at(scene.sets()[1], {"metadata", "annotations", "note"}), "x");
  EXPECT_EQ(integer_at(scene.sets()[1], {"spec", "minReadySeconds"}), 5);
  EXPECT_EQ(scene.sets().size(), 2U);
}

}  // namespace
}  // namespace ebb::control
