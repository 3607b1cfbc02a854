// Shadow mode beside a controller that the test plays: it resizes a ReplicaSet, deletes pods, and
// decides which watch shows what first.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "control/shadow/shadow_controller.h"
#include "support/control/controller_scene.h"
#include "support/objects/pods.h"

namespace ebb::testing {

class ShadowScene : public ::testing::Test {
 protected:
  using Decision = control::Decision;
  using End = Decision::Actual::End;
  using Names = std::vector<std::string>;

  static constexpr std::string_view kPolicies =
      "/apis/ebb.dev/v1alpha1/namespaces/shop/downscalepolicies";
  static constexpr std::string_view kPickerSpec =
      R"("podPicker":{"http":{"host":"picker"},"timeoutSeconds":2,"maxRetries":0})";

  // A scene is created by a plain function, so shared state must be static.
  struct Shared {
    std::shared_ptr<control::PolicyReports> reports = std::make_shared<control::PolicyReports>();
    std::shared_ptr<control::DecisionQueue> decisions = std::make_shared<control::DecisionQueue>();
    control::ShadowScope scope = control::ShadowScope::kEverything;
  };
  static Shared& shared() {
    static Shared state;
    return state;
  }
  static std::unique_ptr<control::Controller> make_controller(
      const control::ControllerContext& context, control::Safeguards /*safeguards*/) {
    return control::make_shadow_controller(
        context, {.reports = shared().reports, .decisions = shared().decisions}, shared().scope);
  }

  // `web` with these pods, each twice as old as the next: the youngest goes first.
  void begin(const Names& pods) {
    scene_.create_set("web", static_cast<int>(pods.size()));
    auto age = static_cast<Nanoseconds>(pods.size());
    for (const std::string& pod : pods) {
      scene_.now.wall = later_by(scene_.now.wall, kSecond);
      scene_.create_pod(pod, {.node = "node-" + pod, .ready_for_ns = (64LL << age--) * kSecond});
    }
    scene_.settle_but_for_timers();
  }
  void create_policy(std::string_view name, std::string_view spec, std::string_view mode) {
    scene_.request(model::Method::kPost, std::string(kPolicies),
                   fmt::format(R"({{"apiVersion":"ebb.dev/v1alpha1","kind":"DownscalePolicy",
                         "metadata":{{"name":"{}"}},"spec":{{"mode":"{}","targetRef":{{
                         "kind":"ReplicaSet","name":"web"}},{}}}}})",
                               name, mode, spec),
                   201);
    scene_.settle_but_for_timers();
  }
  // The acting controller writes the number of pods into the status, so the watch of ReplicaSets
  // gets past the revision at which the last pod went.
  void see() {
    scene_.patch("/apis/apps/v1/namespaces/shop/replicasets/web/status",
                 fmt::format(R"({{"status":{{"replicas":{}}}}})", scene_.pods().size()));
    scene_.see_all();
    scene_.run();
  }
  [[nodiscard]] const Decision& decision() const { return scene_.decisions.back(); }
  [[nodiscard]] Names victims() const {
    Names names;
    for (const Decision::Victim& victim : decision().victims) {
      names.push_back(fmt::format("{} {}", victim.name, victim.outcome));
    }
    return names;
  }
  // `a`, or `a!` if ebb would have kept it.
  [[nodiscard]] Names removed() const {
    Names names;
    for (const Decision::Actual::Removed& pod : decision().actual->removed) {
      names.push_back(pod.name + (pod.agreed ? "" : "!"));
    }
    return names;
  }
  static control::PolicyReports::Shadow counts(const std::string& policy) {
    const auto* report = shared().reports->of({.namespace_name = "shop", .name = policy});
    return report == nullptr ? control::PolicyReports::Shadow()
                             : report->shadow.value_or(control::PolicyReports::Shadow());
  }

  ControllerScene scene_ = [] {
    shared() = {};
    return ControllerScene(make_controller);
  }();
};

}  // namespace ebb::testing
