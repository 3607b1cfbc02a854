#include "sim/actors/rank_actors.h"

#include <array>
#include <utility>

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include "model/api/requests.h"
#include "model/records/pod.h"
#include "schema/core/json.h"

namespace ebb::sim {
namespace {

using boost::json::array;
using boost::json::object;

constexpr std::array<std::string_view, 3> kRankPolicies = {"ranks-a", "ranks-b", "ranks-c"};
constexpr std::array<std::string_view, 4> kPublish = {"PodGroupCost", "Annotation", "StatusField",
                                                      "PodDeletionCost"};
constexpr std::array<std::string_view, 3> kPresets = {"keep-zones-balanced", "empty-nodes",
                                                      "cheapest-first"};
constexpr std::array<std::string_view, 4> kNodes = {"node-a1", "node-a2", "node-b1", "node-b2"};
// No pods are placed on this node, or it will soon be gone.
constexpr std::string_view kClosedNode = "node-b2";

}  // namespace

int RankActors::send(const model::ApiRequest& request) {
  return world_.request("user", request).code;
}

const SetTruth* RankActors::some_set() {
  std::vector<const SetTruth*> there;
  for (const auto& entry : world_.truth.sets()) {
    if (!entry.second.gone) there.push_back(&entry.second);
  }
  return there.empty() ? nullptr : there[random_.below(there.size())];
}

object RankActors::some_strategy() {
  static const std::array<object, 10> kStrategies = {{
      {{"name", "TopologySpread"}},
      {{"name", "TopologySpread"}, {"args", {{"topologyKey", "kubernetes.io/hostname"}}}},
      {{"name", "UntoleratedTaints"}},
      {{"name", "Youngest"}},
      {{"name", "Oldest"}},
      {{"name", "NodeCost"}, {"args", {{"label", "ebb.dev/price"}}}},
      {{"name", "Pack"}},
      {{"name", "NodeLeaving"}},
      {{"name", "Weight"}, {"args", {{"label", "weight"}}}},
      {{"name", "AntiAffinity"}},
  }};
  object strategy = kStrategies[random_.below(kStrategies.size())];
  if (random_.chance(0.4)) strategy["weight"] = random_.below(1000);
  if (random_.chance(0.2)) strategy["threshold"] = 1 + random_.below(5);
  return strategy;
}

// The server refuses strategies that recompute unless they are published as PodGroupCost.
object RankActors::some_ranking() {
  object ranking;
  if (random_.chance(0.3)) {
    ranking["preset"] = random_.one_of(kPresets);
  } else if (random_.chance(0.4)) {
    ranking["strategies"] = array{object{{"name", "AntiAffinity"}}};
  } else {
    array strategies;
    for (std::uint64_t left = 1 + random_.below(3); left > 0; --left) {
      strategies.push_back(some_strategy());
    }
    ranking["strategies"] = std::move(strategies);
  }
  if (random_.chance(0.2)) ranking["exact"] = true;
  if (random_.chance(0.6)) ranking["publish"] = random_.one_of(kPublish);
  if (random_.chance(0.4)) ranking["waitSeconds"] = random_.below(15);
  if (random_.chance(0.5)) ranking["duringRollouts"] = true;
  return ranking;
}

void RankActors::create_policy(std::string_view name, std::string_view target_kind,
                               std::string_view target) {
  object picker;
  if (random_.chance(0.2)) picker = picker_object({.host = "alder.pickers.svc"});
  // The server refuses some combinations.
  for (int tries = 0; tries < 3; ++tries) {
    object policy = ranking_policy_object(name, target_kind, target, some_ranking(), picker);
    if (random_.chance(0.15)) policy["spec"].as_object()["deletionCost"] = "Ignore";
    const int code = send(model::create_request(collection_of(policies()), policy));
    if (code != 422) return;
  }
}

void RankActors::begin(const std::vector<std::string>& sets,
                       const std::vector<std::string>& deployments) {
  if (!present_) return;
  std::size_t policy = 0;
  for (const std::string& set : sets) {
    if (random_.chance(0.9))
      create_policy(kRankPolicies[policy++ % kRankPolicies.size()], "ReplicaSet", set);
  }
  for (const std::string& deployment : deployments) {
    if (random_.chance(0.9)) {
      create_policy(kRankPolicies[policy++ % kRankPolicies.size()], "Deployment", deployment);
    }
  }
}

void RankActors::act() {
  if (!present_) return;
  using ActorAction = void (RankActors::*)();
  static constexpr std::array<ActorAction, 8> kActorActions = {
      &RankActors::change_policy, &RankActors::write_group_cost, &RankActors::spoil_group_cost,
      &RankActors::mark_pods,     &RankActors::mark_pods,        &RankActors::mark_node,
      &RankActors::mark_node,     &RankActors::mark_node};
  (this->*kActorActions[random_.below(kActorActions.size())])();
}

// Often leaves two policies for one target.
void RankActors::change_policy() {
  const std::string_view name = random_.one_of(kRankPolicies);
  if (random_.chance(0.3)) {
    object change = some_ranking();
    // Otherwise the merge would keep both.
    change[change.contains("preset") ? "strategies" : "preset"] = nullptr;
    send(model::merge_patch_request(path_of(policies(), name),
                                    {{"spec", {{"ranking", std::move(change)}}}}));
    return;
  }
  send(model::delete_request(path_of(policies(), name), {}));
  if (random_.chance(0.2)) return;
  std::vector<std::pair<std::string_view, std::string>> targets;
  if (random_.chance(0.1)) targets.emplace_back("ReplicaSet", "nobody");
  for (const auto& entry : world_.truth.sets()) {
    if (!entry.second.gone) targets.emplace_back("ReplicaSet", entry.second.name);
  }
  for (const auto& entry : world_.truth.deployments()) {
    if (entry.second.gone) continue;
    for (int i = 0; i < 2; ++i) targets.emplace_back("Deployment", entry.second.name);
  }
  if (targets.empty()) return;
  const auto& target = targets[random_.below(targets.size())];
  create_policy(name, target.first, target.second);
}

// A PodGroupCost that the ranker did not write: for the pods that exist or fewer, and for some that
// never existed.
void RankActors::write_group_cost() {
  const SetTruth* const set = some_set();
  if (set == nullptr) return;
  object costs{{"long-gone", 7}};
  const bool all = random_.chance(0.5);
  for (const PodTruth* pod : world_.truth.pods_of(*set)) {
    if (all || random_.chance(0.5)) costs[pod->name] = static_cast<int>(random_.below(9)) - 4;
  }
  const auto owner = world_.truth.deployments().find(set->controller);
  object of{{"kind", "ReplicaSet"}, {"name", set->name}};
  if (owner != world_.truth.deployments().end() && random_.chance(0.3)) {
    of = {{"kind", "Deployment"}, {"name", owner->second.name}};
  } else if (random_.chance(0.5)) {
    of["uid"] = set->uid;
  }
  // Its own name, or the name that the ranker would use.
  const std::string name = random_.chance(0.6) ? "by-hand" : set->name;
  send(model::delete_request(path_of(group_costs(), name), {}));
  send(model::create_request(collection_of(group_costs()),
                             {{"apiVersion", "ebb.dev/v1alpha1"},
                              {"kind", "PodGroupCost"},
                              {"metadata", {{"name", name}}},
                              {"spec", {{"owner", std::move(of)}, {"costs", std::move(costs)}}}}));
  if (random_.chance(0.5)) write_group_cost_status(name);
}

void RankActors::write_group_cost_status(std::string_view name) {
  const object status{{"podSetHash", fmt::format("{:016x}", random_.below(1000))},
                      {"recompute", random_.chance(0.5)},
                      {"observedGeneration", 1 + random_.below(2)}};
  send(model::merge_patch_request(path_of(group_costs(), name, "status"), {{"status", status}}));
}

// Changes a PodGroupCost of the ranker, or another one.
void RankActors::spoil_group_cost() {
  const std::vector<std::string> there = world_.inventory.names(group_costs());
  if (there.empty()) return;
  const std::string& name = there[random_.below(there.size())];
  if (random_.chance(0.5)) {
    send(model::delete_request(path_of(group_costs(), name), {}));
    return;
  }
  if (random_.chance(0.3)) return write_group_cost_status(name);
  const SetTruth* const set = some_set();
  if (set == nullptr) return;
  object costs;
  for (const PodTruth* pod : world_.truth.pods_of(*set)) {
    if (random_.chance(0.3))
      costs[pod->name] = random_.chance(0.5) ? boost::json::value(3) : nullptr;
  }
  send(model::merge_patch_request(path_of(group_costs(), name), {{"spec", {{"costs", costs}}}}));
}

void RankActors::mark_pods() {
  const SetTruth* const set = some_set();
  if (set == nullptr) return;
  const double share = random_.chance(0.3) ? 1 : 0.4;
  const std::uint64_t what = random_.below(4);
  const bool removes = random_.chance(0.4);
  for (const PodTruth* pod : world_.truth.pods_of(*set)) {
    if (!random_.chance(share)) continue;
    // Often a value that a ranker may have written as well.
    const auto rolled = static_cast<std::int64_t>(random_.below(200));
    const std::int64_t number = rolled < 100 ? rolled % 7 - 3 : rolled - 150;
    boost::json::value text(removes               ? boost::json::value(nullptr)
                            : random_.chance(0.1) ? boost::json::value("many")
                                                  : boost::json::value(std::to_string(number)));
    if (what == 0) {
      boost::json::value cost = number;
      if (removes) cost = nullptr;
      send(model::merge_patch_request(path_of(pods(), pod->name, "status"),
                                      {{"status", {{"cost", std::move(cost)}}}}));
    } else if (what == 1) {
      send(model::merge_patch_request(path_of(pods(), pod->name),
                                      {{"metadata", {{"labels", {{"weight", text}}}}}}));
    } else {
      const std::string_view key =
          what == 2 ? model::kCostRankAnnotation : model::kDeletionCostAnnotation;
      send(model::merge_patch_request(path_of(pods(), pod->name),
                                      {{"metadata", {{"annotations", object{{key, text}}}}}}));
    }
  }
}

void RankActors::mark_node() {
  const std::string path = path_of(node_objects(), random_.one_of(kNodes));
  const auto patch = [&](const std::string& where, const object& change) {
    send(model::merge_patch_request(where, change));
  };
  const std::uint64_t what = random_.below(5);
  if (what == 0) {
    patch(path,
          {{"metadata", {{"labels", {{"ebb.dev/price", std::to_string(random_.below(9))}}}}}});
  } else if (what == 1) {
    const std::string zone = fmt::format("zone-{}", random_.below(3));
    patch(path, {{"metadata", {{"labels", {{"topology.kubernetes.io/zone", zone}}}}}});
  } else if (what == 2) {
    patch(path_of(node_objects(), kClosedNode),
          {{"spec", {{"unschedulable", random_.chance(0.6)}}}});
  } else if (what == 3) {
    const object taint{
        {"key", random_.chance(0.5) ? "dedicated" : "ToBeDeletedByClusterAutoscaler"},
        {"effect", "NoSchedule"}};
    patch(path_of(node_objects(), kClosedNode),
          {{"spec", {{"taints", random_.chance(0.6) ? array{taint} : array{}}}}});
  } else {
    const object taint{{"key", "DeletionCandidateOfClusterAutoscaler"},
                       {"effect", "PreferNoSchedule"}};
    patch(path, {{"spec", {{"taints", random_.chance(0.6) ? array{taint} : array{}}}}});
  }
}

}  // namespace ebb::sim
