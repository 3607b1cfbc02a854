// A ReplicaSet `web` whose scale-down applies ranks, for tests.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/deadline_queue.h"
#include "control/replicaset/replica_set_controller.h"
#include "ranking/publication.h"
#include "schema/core/json.h"
#include "support/control/controller_scene.h"
#include "support/objects/pods.h"

namespace ebb::control {

namespace json = boost::json;
using testing::ControllerScene;
using Names = std::vector<std::string>;
using Costs = std::map<std::string, int>;

inline constexpr std::string_view kEbb = "/apis/ebb.dev/v1alpha1/namespaces/shop/";
inline constexpr std::string_view kSpread =
    R"("strategies":[{"name":"TopologySpread","args":{"topologyKey":"zone"}}])";
inline constexpr std::string_view kAntiAffinity = R"("strategies":[{"name":"AntiAffinity"}])";
inline constexpr std::string_view kOwned =
    R"({"ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment","name":"web",
        "uid":"deployment-uid","controller":true}]})";

inline std::string annotation(int rank) {
  return fmt::format(R"({{"scheduling.alpha.kubernetes.io/cost":"{}"}})", rank);
}

class RankSyncTest : public ::testing::Test {
 protected:
  // Creates `web` with these pods, all Ready, and `replicas` wanted.
  void begin(int replicas, const Names& pods) {
    scene_.create_set("web", replicas);
    for (const std::string& pod : pods) scene_.create_pod(pod);
  }
  void go() { scene_.settle_but_for_timers(); }

  void create_policy(std::string_view ranking, std::string_view target = "ReplicaSet") {
    scene_.request(model::Method::kPost, fmt::format("{}downscalepolicies", kEbb),
                   fmt::format(R"({{"apiVersion":"ebb.dev/v1alpha1","kind":"DownscalePolicy",
                       "metadata":{{"name":"web"}},"spec":{{"targetRef":{{"kind":"{}","name":"web"}},
                       "ranking":{{{}}}}}}})",
                               target, ranking),
                   201);
  }

  // Publishes as the ranker does: first the ranks, then the pod-set hash.
  void write_costs(const Costs& costs) {
    json::object all;
    for (const auto& [pod, cost] : costs) all[pod] = cost;
    const std::string spec =
        fmt::format(R"("spec":{{"owner":{{"kind":"ReplicaSet","name":"web"}},"costs":{}}})",
                    json::serialize(all));
    if (published_) {
      // A merge patch would keep entries of pods that are gone.
      json::object whole = scene_.get(fmt::format("{}podgroupcosts/web", kEbb));
      whole["spec"].as_object()["costs"] = all;
      scene_.request(model::Method::kPut, fmt::format("{}podgroupcosts/web", kEbb),
                     json::serialize(whole), 200);
      return;
    }
    published_ = true;
    scene_.request(model::Method::kPost, fmt::format("{}podgroupcosts", kEbb),
                   fmt::format(R"({{"apiVersion":"ebb.dev/v1alpha1","kind":"PodGroupCost",
                       "metadata":{{"name":"web"}},{}}})",
                               spec),
                   201);
  }
  void write_status(bool recompute) {
    const auto cost = scene_.get(fmt::format("{}podgroupcosts/web", kEbb));
    const json::value* generation = schema::lookup(cost, {"metadata", "generation"});
    scene_.patch(
        fmt::format("{}podgroupcosts/web/status", kEbb),
        fmt::format(R"({{"status":{{"recompute":{},"podSetHash":"{}","observedGeneration":{}}}}})",
                    recompute, hash_of_pods(), json::serialize(*generation)));
  }
  void publish(const Costs& costs, bool recompute = false) {
    write_costs(costs);
    write_status(recompute);
  }
  // The hash of the pods that really exist, as a ranker sees them.
  std::string hash_of_pods() {
    testing::World world;
    std::vector<model::Pod> pods;
    for (const std::string& name : scene_.pods()) {
      const auto object = scene_.get(fmt::format("/api/v1/namespaces/shop/pods/{}", name));
      model::Pod pod = world.pod(name);
      pod.uid = world.intern(std::string_view(schema::text_at(object, {"metadata", "uid"})));
      pods.push_back(pod);
    }
    return ranking::pod_set_hash(testing::pointers(pods));
  }
  void annotate(std::string_view pod, int rank) {
    scene_.patch(fmt::format("/api/v1/namespaces/shop/pods/{}", pod),
                 fmt::format(R"({{"metadata":{{"annotations":{}}}}})", annotation(rank)));
  }

  const Decision::Ranking& record() const { return *scene_.decisions.back().ranking; }
  Names victims() const {
    Names names;
    for (const Decision::Victim& victim : scene_.decisions.back().victims) {
      names.push_back(victim.name);
    }
    return names;
  }

  ControllerScene scene_{make_replica_set_controller};
  bool published_ = false;
};

}  // namespace ebb::control
