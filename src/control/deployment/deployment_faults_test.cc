// The Deployment controller when requests are lost, caches lag, and other clients write.
#include <map>
#include <random>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "schema/core/json.h"
#include "support/control/deployment_scene.h"

namespace ebb::control {
namespace {

namespace json = boost::json;
using model::ApiRequest;
using model::Method;
using schema::integer_at;
using schema::text_at;
using testing::deployment_json;
using testing::DeploymentScene;
using testing::image_patch;
using Fate = DeploymentScene::Fate;

// A ReplicaSet of another controller, with another hash, name and order of fields.
std::string foreign_set(const json::object& deployment, int replicas, std::string_view image) {
  return fmt::format(
      R"({{"kind":"ReplicaSet","apiVersion":"apps/v1","metadata":{{"name":"web-85748b7f68",
        "labels":{{"app":"web","pod-template-hash":"85748b7f68"}},
        "annotations":{{"deployment.kubernetes.io/revision":"1",
          "deployment.kubernetes.io/desired-replicas":"{1}",
          "deployment.kubernetes.io/max-replicas":"{2}"}},
        "ownerReferences":[{{"apiVersion":"apps/v1","kind":"Deployment","name":"web","uid":"{0}",
          "controller":true,"blockOwnerDeletion":true}}]}},
        "spec":{{"replicas":{1},"selector":{{"matchLabels":{{"app":"web",
          "pod-template-hash":"85748b7f68"}}}},
        "template":{{"spec":{{"securityContext":{{}},"containers":[{{"image":"{3}","name":"app",
          "resources":{{"limits":{{"cpu":"1000m"}}}}}}]}},"metadata":{{"creationTimestamp":null,
          "labels":{{"pod-template-hash":"85748b7f68","app":"web"}}}}}}}}}})",
      text_at(deployment, {"metadata", "uid"}), replicas, replicas + (replicas + 3) / 4, image);
}

std::string limited_deployment(int replicas) {
  json::object body = json::parse(deployment_json(replicas)).as_object();
  body["spec"].at("template").at("spec").at("containers").at(0).as_object()["resources"] = {
      {"limits", {{"cpu", 1}}}};
  return json::serialize(body);
}

TEST(DeploymentHandOver, KnowsAReplicaSetByItsTemplateWhateverItsHash) {
  DeploymentScene scene;
  const json::object deployment = scene.create("deployments", limited_deployment(3));
  scene.create("replicasets", foreign_set(deployment, 3, "web:1"));
  scene.roll();
  ASSERT_EQ(scene.sets().size(), 1U);
  EXPECT_EQ(scene.sizes(), "3");
  for (const std::string& call : scene.calls) EXPECT_EQ(call, "PUT deployments/web/status");
  EXPECT_EQ(scene.condition("Progressing"), "True NewReplicaSetAvailable");
}

TEST(DeploymentHandOver, ContinuesARolloutThatAnotherControllerBegan) {
  DeploymentScene scene;
  const json::object deployment = scene.create("deployments", limited_deployment(3));
  scene.create("replicasets", foreign_set(deployment, 3, "web:0"));
  scene.settle();
  scene.roll();
  ASSERT_EQ(scene.sets().size(), 2U);
  EXPECT_EQ(*integer_at(scene.read("replicasets/web-85748b7f68"), {"spec", "replicas"}), 0);
}

TEST(DeploymentClaims, AdoptsOrphansAfterALookAtTheDeploymentAndReleasesStrangers) {
  DeploymentScene scene;
  json::object orphan =
      json::parse(foreign_set(scene.create("deployments", limited_deployment(3)), 3, "web:1"))
          .as_object();
  orphan["metadata"].as_object().erase("ownerReferences");
  scene.create("replicasets", json::serialize(orphan));
  scene.run();
  ASSERT_GE(scene.calls.size(), 2U);
  EXPECT_EQ(scene.calls[0], "GET deployments/web");
  EXPECT_EQ(scene.calls[1], "PATCH replicasets/web-85748b7f68");
  scene.roll();
  ASSERT_EQ(scene.sets().size(), 1U);
  EXPECT_EQ(scene.counted(Count::kAdoptions), 1);

  // It no longer matches: it is released, and a new one replaces it.
  scene.edit("replicasets/web-85748b7f68", R"({"metadata":{"labels":{"app":"other"}}})");
  scene.roll();
  EXPECT_EQ(scene.counted(Count::kReleases), 1);
  ASSERT_EQ(scene.sets().size(), 2U);
  EXPECT_EQ(
      schema::array_at(scene.read("replicasets/web-85748b7f68"), {"metadata", "ownerReferences"}),
      nullptr);
  EXPECT_EQ(scene.sizes(), "3 3");
}

// The cache does not know yet that the Deployment is going.
TEST(DeploymentClaims, ADeploymentThatIsBeingDeletedAdoptsNothing) {
  DeploymentScene scene;
  json::object body = json::parse(limited_deployment(3)).as_object();
  body["metadata"].as_object()["finalizers"] = {"example.com/hold"};
  json::object orphan =
      json::parse(foreign_set(scene.create("deployments", json::serialize(body)), 3, "web:1"))
          .as_object();
  orphan["metadata"].as_object().erase("ownerReferences");
  scene.create("replicasets", json::serialize(orphan));
  scene.watch();
  scene.remove("deployments/web");
  scene.blind = true;
  scene.run();
  EXPECT_EQ(scene.calls, std::vector<std::string>{"GET deployments/web"});
  EXPECT_EQ(scene.counted(Count::kAdoptionsRefused), 1);
  scene.blind = false;
  scene.pass_seconds(3);
  EXPECT_EQ(scene.counted(Count::kAdoptions), 0);
}

TEST(DeploymentClaims, DeploymentsOfTheSameLabelsLeaveEachOtherAlone) {
  DeploymentScene scene;
  scene.create("deployments", deployment_json(2));
  json::object other = json::parse(deployment_json(3)).as_object();
  other["metadata"].as_object()["name"] = "other";
  scene.create("deployments", json::serialize(other));
  scene.roll();
  ASSERT_EQ(scene.sets().size(), 2U);
  scene.calls.clear();
  scene.edit("deployments/web", image_patch("web:2"));
  scene.roll();
  EXPECT_EQ(scene.sets().size(), 3U);
  for (const std::string& call : scene.calls) {
    EXPECT_EQ(call.find("deployments/other"), std::string::npos) << call;
  }
}

TEST(DeploymentClaims, AReplicaSetThatIsDeletedIsMadeAgain) {
  DeploymentScene scene;
  scene.create("deployments", deployment_json(2));
  scene.roll();
  const std::string name = scene.set_name(0);
  scene.remove("replicasets/" + name);
  scene.roll();
  EXPECT_EQ(scene.set_name(0), name);
  EXPECT_EQ(scene.sizes(), "2");
}

TEST(DeploymentClaims, RevertsTheScaleOfAReplicaSetByOthers) {
  DeploymentScene scene;
  scene.create("deployments", deployment_json(3));
  scene.roll();
  for (const int replicas : {0, 7}) {
    scene.edit("replicasets/" + scene.set_name(0),
               fmt::format(R"({{"spec":{{"replicas":{}}}}})", replicas));
    scene.roll();
    EXPECT_EQ(scene.sizes(), "3");
  }
}

// A rolling update need not watch pods, because the status of their ReplicaSet changes with them.
TEST(DeploymentClaims, PodsWakeOnlyRecreateDeployments) {
  for (const bool recreate : {false, true}) {
    DeploymentScene scene;
    scene.create("deployments",
                 deployment_json(1, recreate ? R"("strategy":{"type":"Recreate"})" : ""));
    scene.roll();
    json::object pod = json::parse(testing::pod_json("p", R"({"app":"web"})")).as_object();
    pod["metadata"].as_object()["ownerReferences"] = {
        {{"apiVersion", "apps/v1"},
         {"kind", "ReplicaSet"},
         {"name", scene.set_name(0)},
         {"uid", text_at(scene.sets()[0], {"metadata", "uid"})},
         {"controller", true}}};
    scene.run();
    scene.create("pods", json::serialize(pod));
    const auto woken = [&] {
      scene.watch();
      const Timestamp wake = scene.controller().wake_at();
      return !wake.is_zero() && wake <= scene.now().mono;
    };
    EXPECT_FALSE(woken());
    scene.remove("pods/p");
    EXPECT_EQ(woken(), recreate);
  }
}

// Until its own writes arrive as events, the cache is out of date: here it shows the Deployment
// with a revision, but not the ReplicaSet.
TEST(DeploymentFaults, DoesNotDecideOnACacheOlderThanItsOwnWrites) {
  DeploymentScene scene;
  scene.create("deployments", deployment_json(4));
  scene.create("replicasets", testing::replica_set_json("other", 0));
  scene.watch();
  scene.blind_to_sets = true;
  scene.run();
  const std::size_t calls = scene.calls.size();
  EXPECT_EQ(scene.sizes(), "0 4");
  scene.edit("deployments/web", R"({"metadata":{"annotations":{"a":"b"}}})");
  scene.pass_seconds(5);
  EXPECT_EQ(scene.calls.size(), calls) << fmt::format("{}", scene.calls);
  EXPECT_GT(scene.counted(Count::kDeploymentStaleSyncSkips), 0);
  scene.blind_to_sets = false;
  scene.roll();
  EXPECT_EQ(scene.condition("Progressing"), "True NewReplicaSetAvailable");
}

// The ReplicaSet was created, but the answer was lost and the cache does not show it. Its own name
// is taken when it is created again.
TEST(DeploymentFaults, AReplicaSetWhoseCreationWasNotSeenIsNotACollision) {
  DeploymentScene scene;
  scene.create("deployments", deployment_json(4));
  scene.fate = [](const ApiRequest& request) {
    return request.method == Method::kPost ? Fate::kAnswerLost : Fate::kCarriedOut;
  };
  scene.blind_to_sets = true;
  scene.run();
  scene.fate = nullptr;
  scene.pass_seconds(3);
  EXPECT_GT(scene.calls.size(), 2U);
  scene.blind_to_sets = false;
  scene.pass_seconds(10);
  scene.roll();
  EXPECT_EQ(scene.sizes(), "4");
  EXPECT_EQ(scene.counted(Count::kHashCollisions), 0);
  EXPECT_EQ(scene.condition("Progressing"), "True NewReplicaSetAvailable");
}

// Each write in turn is lost, or its answer is lost, or the server fails. The result is always the
// same, and each ReplicaSet is created once.
TEST(DeploymentFaults, AnyLostWriteIsMadeUpFor) {
  const auto play = [](DeploymentScene& scene) {
    scene.create("deployments", deployment_json(4, R"("revisionHistoryLimit":1)"));
    const auto calm_down = [&] {
      for (int i = 0; i < 3; ++i) {
        scene.roll();
        scene.pass_seconds(2);
      }
    };
    calm_down();
    scene.edit("deployments/web", image_patch("web:2"));
    calm_down();
    scene.edit("deployments/web", R"({"spec":{"replicas":6}})");
    scene.edit("deployments/web", image_patch("web:3"));
    calm_down();
  };
  const auto outcome = [](DeploymentScene& scene) {
    const json::object deployment = scene.read("deployments/web");
    return fmt::format(
        "{} | {} | {} | {}", scene.sizes(),
        text_at(deployment, {"metadata", "annotations", "deployment.kubernetes.io/revision"}),
        scene.condition("Progressing"), scene.condition("Available"));
  };
  DeploymentScene calm;
  play(calm);
  const std::string expected = outcome(calm);
  EXPECT_EQ(expected, "0 6 | 3 | True NewReplicaSetAvailable | True MinimumReplicasAvailable");
  for (const Fate fate : {Fate::kLostOnTheWay, Fate::kAnswerLost, Fate::kServerFails}) {
    for (std::size_t lost = 0; lost < calm.calls.size(); ++lost) {
      DeploymentScene scene;
      std::size_t turn = 0;
      scene.fate = [&](const ApiRequest&) { return turn++ == lost ? fate : Fate::kCarriedOut; };
      play(scene);
      ASSERT_EQ(outcome(scene), expected) << "write " << lost << ": " << calm.calls[lost];
      ASSERT_EQ(scene.counted(Count::kHashCollisions), 0) << lost;
    }
  }
}

// Crashed after every single write, the next process finishes the work.
TEST(DeploymentFaults, ASuccessorGoesOnFromAnyPoint) {
  for (int crash_after = 1; crash_after < 12; ++crash_after) {
    DeploymentScene scene;
    scene.create("deployments", deployment_json(4));
    scene.roll();
    scene.edit("deployments/web", image_patch("web:2"));
    int writes = 0;
    scene.fate = [&](const ApiRequest&) {
      return ++writes > crash_after ? Fate::kLostOnTheWay : Fate::kCarriedOut;
    };
    for (int i = 0; i < 8 && writes <= crash_after; ++i) {
      scene.run();
      scene.settle();
    }
    scene.fate = nullptr;
    scene.restart();
    scene.roll();
    ASSERT_EQ(scene.sizes(), "0 4") << crash_after;
    ASSERT_EQ(scene.condition("Progressing"), "True NewReplicaSetAvailable") << crash_after;
  }
}

// Many changes, with faults and other writers, while pods follow now and then. Once that stops,
// the Deployment reaches the wanted state.
RC_GTEST_PROP(DeploymentFaults, WhenFaultsStopAllIsWell, (std::uint32_t seed)) {
  std::mt19937 random(seed);
  const auto one_in = [&](unsigned n) { return random() % n == 0; };
  DeploymentScene scene;
  const bool recreate = one_in(4);
  scene.create("deployments",
               deployment_json(5, recreate ? R"("strategy":{"type":"Recreate"})" : ""));
  scene.fate = [&](const ApiRequest&) {
    if (!one_in(5)) return Fate::kCarriedOut;
    return one_in(3) ? Fate::kLostOnTheWay : one_in(2) ? Fate::kAnswerLost : Fate::kServerFails;
  };
  std::string image = "web:1";
  std::int64_t replicas = 5;
  bool paused = false;
  for (int i = 0; i < 25; ++i) {
    scene.blind = one_in(3);
    if (one_in(4)) {
      image = fmt::format("web:{}", 1 + random() % 4);
      scene.edit("deployments/web", image_patch(image));
    }
    if (one_in(4)) {
      replicas = static_cast<std::int64_t>(random() % 12);
      scene.edit("deployments/web", fmt::format(R"({{"spec":{{"replicas":{}}}}})", replicas));
    }
    if (one_in(8)) {
      paused = !paused;
      scene.edit("deployments/web", fmt::format(R"({{"spec":{{"paused":{}}}}})", paused));
    }
    if (one_in(6) && !scene.sets().empty()) {
      const std::size_t which = random() % scene.sets().size();
      scene.edit("replicasets/" + scene.set_name(which),
                 fmt::format(R"({{"spec":{{"replicas":{}}}}})", random() % 8));
    }
    if (one_in(2)) scene.settle(static_cast<std::int64_t>(random() % 6));
    if (one_in(12)) scene.restart();
    scene.pass_seconds(1);
  }
  scene.fate = nullptr;
  scene.blind = false;
  scene.edit("deployments/web", R"({"spec":{"paused":false}})");
  scene.pass_seconds(35);
  scene.roll();
  scene.pass_seconds(35);
  scene.roll();

  int with_template = 0;
  for (const json::object& set : scene.sets()) {
    const json::object& container =
        set.at("spec").at("template").at("spec").at("containers").at(0).as_object();
    const bool meant = text_at(container, {"image"}) == image;
    with_template += meant ? 1 : 0;
    RC_ASSERT(*integer_at(set, {"spec", "replicas"}) == (meant ? replicas : 0));
  }
  RC_ASSERT(with_template == 1);
  RC_ASSERT(scene.condition("Available") == "True MinimumReplicasAvailable");
  RC_ASSERT(scene.condition("Progressing") == "True NewReplicaSetAvailable");
  const json::object deployment = scene.read("deployments/web");
  RC_ASSERT(integer_at(deployment, {"status", "updatedReplicas"}).value_or(0) == replicas);
  RC_ASSERT(integer_at(deployment, {"status", "observedGeneration"}) ==
            integer_at(deployment, {"metadata", "generation"}));
}

TEST(DeploymentFaults, StopsBetweenStepsWithoutBeginningAnother) {
  DeploymentScene scene;
  scene.create("deployments", deployment_json(4));
  scene.before_each = [&](const ApiRequest&) { scene.controller().stop(); };
  scene.run();
  EXPECT_EQ(scene.calls.size(), 1U) << fmt::format("{}", scene.calls);
  EXPECT_TRUE(scene.controller().idle());
}

}  // namespace
}  // namespace ebb::control
