// The ranker on an API server with two zones, for tests.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/deadline_queue.h"
#include "control/ranker/ranker.h"
#include "schema/core/json.h"
#include "support/control/controller_scene.h"
#include "support/objects/pods.h"

namespace ebb::control {

class RankerTest : public ::testing::Test {
 protected:
  using Names = std::vector<std::string>;

  static constexpr std::string_view kPods = "/api/v1/namespaces/shop/pods";
  static constexpr std::string_view kOurs = "/apis/ebb.dev/v1alpha1/namespaces/shop";
  static constexpr std::string_view kCost = "controller.kubernetes.io/pod-deletion-cost";
  static constexpr std::string_view kCompanion = "ebb.dev/published-cost";
  static constexpr std::string_view kSpread =
      R"([{"name":"TopologySpread","args":{"topologyKey":"topology.kubernetes.io/zone"}}])";

  // A scene is created by a plain function, so shared state must be static.
  static std::shared_ptr<PolicyReports>& shared_reports() {
    static std::shared_ptr<PolicyReports> reports;
    return reports;
  }
  static std::unique_ptr<Controller> make_controller(const ControllerContext& context,
                                                     Safeguards /*safeguards*/) {
    return make_ranker(context, shared_reports());
  }

  void node(std::string_view name, std::string_view zone) {
    scene_.request(model::Method::kPost, "/api/v1/nodes",
                   fmt::format(R"({{"apiVersion":"v1","kind":"Node","metadata":{{"name":"{}",
                       "labels":{{"topology.kubernetes.io/zone":"{}"}}}},"spec":{{}}}})",
                               name, zone),
                   201);
  }
  void policy(std::string_view publish, std::string_view strategies = kSpread,
              std::string_view name = "mine", std::string_view more = "",
              std::string_view target = R"({"kind":"ReplicaSet","name":"web"})") {
    scene_.request(model::Method::kPost, fmt::format("{}/downscalepolicies", kOurs),
                   fmt::format(R"({{"apiVersion":"ebb.dev/v1alpha1","kind":"DownscalePolicy",
                       "metadata":{{"name":"{}"}},"spec":{{"targetRef":{},
                       "ranking":{{"strategies":{},"publish":"{}"{}}}}}}})",
                               name, target, strategies, publish, more),
                   201);
  }
  std::string policy_path() { return fmt::format("{}/downscalepolicies/mine", kOurs); }
  std::string cost_path() { return fmt::format("{}/podgroupcosts/web", kOurs); }
  static std::string pod_path(std::string_view name) { return fmt::format("{}/{}", kPods, name); }
  // Two zones, and pods whose ages differ by a second.
  void zones() {
    node("a1", "a");
    node("b1", "b");
    scene_.create_set("web", 3);
  }
  void pod(std::string_view name, std::string_view node, std::string_view annotations = "{}") {
    scene_.now.wall = later_by(scene_.now.wall, kSecond);
    scene_.create_pod(name, {.node = node, .annotations = annotations});
  }
  std::string annotation(std::string_view pod, std::string_view key) {
    return std::string(
        schema::text_at(scene_.get(pod_path(pod)), {"metadata", "annotations", key}));
  }
  std::string cost(std::string_view pod) { return annotation(pod, kCost); }
  // `web-a 1, web-b 2`
  std::string group_costs() {
    const auto object = scene_.get(cost_path());
    const auto* const costs = schema::object_at(object, {"spec", "costs"});
    std::map<std::string, std::string> sorted;
    if (costs != nullptr) {
      for (const auto& one : *costs) sorted[one.key()] = boost::json::serialize(one.value());
    }
    std::string text;
    for (const auto& [name, value] : sorted) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, value);
    }
    return text;
  }
  const PolicyReports::Ranked& report() {
    static const PolicyReports::Ranked kNone;
    const auto* const found = shared_reports()->of({.namespace_name = "shop", .name = "mine"});
    return found == nullptr || !found->ranked ? kNone : *found->ranked;
  }
  std::size_t sent(std::string_view beginning) {
    return static_cast<std::size_t>(
        std::count_if(scene_.history.begin(), scene_.history.end(),
                      [&](const std::string& one) { return one.starts_with(beginning); }));
  }

  testing::ControllerScene scene_ = [] {
    shared_reports() = std::make_shared<PolicyReports>();
    return testing::ControllerScene(make_controller);
  }();
};

}  // namespace ebb::control
