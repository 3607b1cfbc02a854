// Which ReplicaSets a policy with a picker applies to.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "control/replicaset/replica_set_controller.h"
#include "support/control/controller_scene.h"

namespace ebb::control {
namespace {

constexpr std::string_view kWebSet = "/apis/apps/v1/namespaces/shop/replicasets/web";

class PickerTargetTest : public ::testing::Test {
 protected:
  // A policy whose picker has the policy's name as its host.
  void create_policy(std::string_view name, std::string_view api_version, std::string_view kind,
                     std::string_view target) {
    scene_.request(model::Method::kPost, "/apis/ebb.dev/v1alpha1/namespaces/shop/downscalepolicies",
                   fmt::format(R"({{"apiVersion":"ebb.dev/v1alpha1","kind":"DownscalePolicy",
                         "metadata":{{"name":"{0}"}},"spec":{{"targetRef":{{"apiVersion":"{1}",
                         "kind":"{2}","name":"{3}"}},"podPicker":{{"http":{{"host":"{0}"}}}}}}}})",
                               name, api_version, kind, target),
                   201);
  }
  void set_owner(std::string_view api_version, std::string_view kind) {
    scene_.patch(std::string(kWebSet),
                 fmt::format(R"({{"metadata":{{"ownerReferences":[{{"apiVersion":"{}","kind":"{}",
                       "name":"shop","uid":"owner-uid","controller":true}}]}}}})",
                             api_version, kind));
  }
  // The host that a new process calls; empty: none.
  std::string asked() {
    scene_.restart();
    scene_.picker_requests.clear();
    scene_.settle_but_for_timers();
    return scene_.picker_requests.empty() ? std::string()
                                          : scene_.picker_requests.back().settings->host;
  }

  testing::ControllerScene scene_{make_replica_set_controller};
};

TEST_F(PickerTargetTest, IsTheOwnerByGroupKindAndName) {
  scene_.create_set("web", 1);
  for (const char* name : {"a", "b"}) scene_.create_pod(name);
  create_policy("deployment", "apps/v1", "Deployment", "shop");
  create_policy("rollout", "argoproj.io/v1alpha1", "Rollout", "shop");
  create_policy("foreign", "example.com/v1", "Deployment", "shop");
  // The pods stay while a picker is called, so all owners can be tried.
  const auto asked_for = [&](std::string_view api_version, std::string_view kind) {
    set_owner(api_version, kind);
    return asked();
  };
  EXPECT_EQ(asked_for("apps/v1", "Deployment"), "deployment");
  EXPECT_EQ(asked_for("example.com/v1", "Deployment"), "foreign");
  EXPECT_EQ(asked_for("argoproj.io/v2", "Rollout"), "rollout");
  scene_.picker_answers({"a"});
  scene_.settle();
  ASSERT_FALSE(scene_.decisions.empty());
  const Decision& decision = scene_.decisions.back();
  ASSERT_EQ(decision.victims.size(), 1U);
  EXPECT_EQ(decision.victims[0].name, "a");
  EXPECT_EQ(decision.picker->carrier, "DownscalePolicy/rollout");
  EXPECT_EQ(decision.owner, "Rollout/shop");
}

TEST_F(PickerTargetTest, IsNotTheSameKindAndNameOfAnotherGroup) {
  scene_.create_set("web", 1);
  for (const char* name : {"a", "b"}) scene_.create_pod(name);
  set_owner("argoproj.io/v1alpha1", "Rollout");
  create_policy("other-owner", "example.com/v1alpha1", "Rollout", "shop");
  create_policy("other-set", "extensions/v1beta1", "ReplicaSet", "web");
  EXPECT_EQ(asked(), "");
  ASSERT_EQ(scene_.decisions.size(), 1U);
  EXPECT_FALSE(scene_.decisions[0].picker);
}

TEST_F(PickerTargetTest, IsTheReplicaSetItselfBeforeItsOwner) {
  scene_.create_set("web", 1);
  for (const char* name : {"a", "b"}) scene_.create_pod(name);
  set_owner("argoproj.io/v1alpha1", "Rollout");
  create_policy("rollout", "argoproj.io/v1alpha1", "Rollout", "shop");
  EXPECT_EQ(asked(), "rollout");
  create_policy("own", "apps/v1", "ReplicaSet", "web");
  EXPECT_EQ(asked(), "own");
}

TEST_F(PickerTargetTest, APolicyInShadowModeDoesNotDecide) {
  scene_.create_set("web", 1);
  for (const char* name : {"a", "b"}) scene_.create_pod(name);
  set_owner("argoproj.io/v1alpha1", "Rollout");
  create_policy("rollout", "argoproj.io/v1alpha1", "Rollout", "shop");
  create_policy("own", "apps/v1", "ReplicaSet", "web");
  EXPECT_EQ(asked(), "own");
  scene_.patch("/apis/ebb.dev/v1alpha1/namespaces/shop/downscalepolicies/own",
               R"({"spec":{"mode":"Shadow"}})");
  // Nor does the other one in its place.
  EXPECT_EQ(asked(), "");
  ASSERT_EQ(scene_.decisions.size(), 1U);
  EXPECT_FALSE(scene_.decisions[0].picker);
  EXPECT_FALSE(scene_.decisions[0].actual);
}

}  // namespace
}  // namespace ebb::control
