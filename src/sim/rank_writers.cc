#include "sim/rank_writers.h"

#include <array>
#include <utility>

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include "model/pod.h"
#include "model/requests.h"
#include "schema/json.h"

namespace ebb::sim {
namespace {

using boost::json::array;
using boost::json::object;

constexpr std::array<std::string_view, 3> kPolicies = {"ranks-a", "ranks-b", "ranks-c"};
constexpr std::array<std::string_view, 4> kPublish = {"PodGroupCost", "Annotation", "StatusField",
                                                      "PodDeletionCost"};
constexpr std::array<std::string_view, 3> kPresets = {"keep-zones-balanced", "empty-nodes",
                                                      "cheapest-first"};
constexpr std::array<std::string_view, 4> kNodes = {"node-a1", "node-a2", "node-b1", "node-b2"};
// Nothing is placed there, or nothing will be for long.
constexpr std::string_view kClosedNode = "node-b2";

template <class List>
std::string_view one_of(const List& list, Dice& dice) {
  return list[dice.below(list.size())];
}

std::string path_of(const schema::Kind& kind, std::string_view name,
                    std::string_view subresource = {}) {
  return model::object_path(
      kind,
      {.namespace_name = std::string(kind.namespaced ? kNamespace : ""), .name = std::string(name)},
      subresource);
}

std::string collection(const schema::Kind& kind) {
  return model::collection_path(kind, kNamespace);
}

}  // namespace

int RankWriters::send(const model::ApiRequest& request) {
  return world_.request("user", request).code;
}

const SetTruth* RankWriters::some_set() {
  std::vector<const SetTruth*> there;
  for (const auto& entry : world_.truth.sets()) {
    if (!entry.second.gone) there.push_back(&entry.second);
  }
  return there.empty() ? nullptr : there[dice_.below(there.size())];
}

object RankWriters::some_strategy() {
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
  object strategy = kStrategies[dice_.below(kStrategies.size())];
  if (dice_.chance(0.4)) strategy["weight"] = dice_.below(1000);
  if (dice_.chance(0.2)) strategy["threshold"] = 1 + dice_.below(5);
  return strategy;
}

// The server refuses what has to be worked out anew and is not published as PodGroupCost.
object RankWriters::some_ranking() {
  object ranking;
  if (dice_.chance(0.3)) {
    ranking["preset"] = one_of(kPresets, dice_);
  } else if (dice_.chance(0.4)) {
    ranking["strategies"] = array{object{{"name", "AntiAffinity"}}};
  } else {
    array strategies;
    for (std::uint64_t left = 1 + dice_.below(3); left > 0; --left) {
      strategies.push_back(some_strategy());
    }
    ranking["strategies"] = std::move(strategies);
  }
  if (dice_.chance(0.2)) ranking["exact"] = true;
  if (dice_.chance(0.6)) ranking["publish"] = one_of(kPublish, dice_);
  if (dice_.chance(0.4)) ranking["waitSeconds"] = dice_.below(15);
  if (dice_.chance(0.5)) ranking["duringRollouts"] = true;
  return ranking;
}

void RankWriters::create_policy(std::string_view name, std::string_view target_kind,
                                std::string_view target) {
  object picker;
  if (dice_.chance(0.2)) picker = picker_object({.host = "alder.pickers.svc"});
  // Some wishes are refused.
  for (int tries = 0; tries < 3; ++tries) {
    const int code = send(model::create_request(
        collection(policies()),
        ranking_policy_object(name, target_kind, target, some_ranking(), picker)));
    if (code != 422) return;
  }
}

void RankWriters::begin(const std::vector<std::string>& sets,
                        const std::vector<std::string>& deployments) {
  if (!present_) return;
  std::size_t policy = 0;
  for (const std::string& set : sets) {
    if (dice_.chance(0.9)) create_policy(kPolicies[policy++ % kPolicies.size()], "ReplicaSet", set);
  }
  for (const std::string& deployment : deployments) {
    if (dice_.chance(0.9)) {
      create_policy(kPolicies[policy++ % kPolicies.size()], "Deployment", deployment);
    }
  }
}

void RankWriters::act() {
  if (!present_) return;
  using Deed = void (RankWriters::*)();
  static constexpr std::array<Deed, 8> kDeeds = {
      &RankWriters::change_policy, &RankWriters::write_group_cost, &RankWriters::spoil_group_cost,
      &RankWriters::mark_pods,     &RankWriters::mark_pods,        &RankWriters::mark_node,
      &RankWriters::mark_node,     &RankWriters::mark_node};
  (this->*kDeeds[dice_.below(kDeeds.size())])();
}

// Often there are two for one target then.
void RankWriters::change_policy() {
  const std::string_view name = one_of(kPolicies, dice_);
  if (dice_.chance(0.3)) {
    object change = some_ranking();
    // Otherwise a merge would leave both.
    change[change.contains("preset") ? "strategies" : "preset"] = nullptr;
    send(model::merge_patch_request(path_of(policies(), name),
                                    {{"spec", {{"ranking", std::move(change)}}}}));
    return;
  }
  send(model::delete_request(path_of(policies(), name), {}));
  if (dice_.chance(0.2)) return;
  std::vector<std::pair<std::string_view, std::string>> targets;
  if (dice_.chance(0.1)) targets.emplace_back("ReplicaSet", "nobody");
  for (const auto& entry : world_.truth.sets()) {
    if (!entry.second.gone) targets.emplace_back("ReplicaSet", entry.second.name);
  }
  for (const auto& entry : world_.truth.deployments()) {
    if (entry.second.gone) continue;
    for (int i = 0; i < 2; ++i) targets.emplace_back("Deployment", entry.second.name);
  }
  if (targets.empty()) return;
  const auto& target = targets[dice_.below(targets.size())];
  create_policy(name, target.first, target.second);
}

// Of somebody else's: for the pods that are there or for fewer, and for some that never were.
void RankWriters::write_group_cost() {
  const SetTruth* const set = some_set();
  if (set == nullptr) return;
  object costs{{"long-gone", 7}};
  const bool all = dice_.chance(0.5);
  for (const PodTruth* pod : world_.truth.pods_of(*set)) {
    if (all || dice_.chance(0.5)) costs[pod->name] = static_cast<int>(dice_.below(9)) - 4;
  }
  const auto owner = world_.truth.deployments().find(set->controller);
  object of{{"kind", "ReplicaSet"}, {"name", set->name}};
  if (owner != world_.truth.deployments().end() && dice_.chance(0.3)) {
    of = {{"kind", "Deployment"}, {"name", owner->second.name}};
  } else if (dice_.chance(0.5)) {
    of["uid"] = set->uid;
  }
  // By its own name, or by the one that the ranker would take.
  const std::string name = dice_.chance(0.6) ? "by-hand" : set->name;
  send(model::delete_request(path_of(group_costs(), name), {}));
  send(model::create_request(collection(group_costs()),
                             {{"apiVersion", "ebb.dev/v1alpha1"},
                              {"kind", "PodGroupCost"},
                              {"metadata", {{"name", name}}},
                              {"spec", {{"owner", std::move(of)}, {"costs", std::move(costs)}}}}));
  if (dice_.chance(0.5)) write_group_cost_status(name);
}

void RankWriters::write_group_cost_status(std::string_view name) {
  const object status{{"podSetHash", fmt::format("{:016x}", dice_.below(1000))},
                      {"recompute", dice_.chance(0.5)},
                      {"observedGeneration", 1 + dice_.below(2)}};
  send(model::merge_patch_request(path_of(group_costs(), name, "status"), {{"status", status}}));
}

// The ranker's own, or another.
void RankWriters::spoil_group_cost() {
  const std::vector<std::string> there = world_.inventory.names(group_costs());
  if (there.empty()) return;
  const std::string& name = there[dice_.below(there.size())];
  if (dice_.chance(0.5)) {
    send(model::delete_request(path_of(group_costs(), name), {}));
    return;
  }
  if (dice_.chance(0.3)) return write_group_cost_status(name);
  const SetTruth* const set = some_set();
  if (set == nullptr) return;
  object costs;
  for (const PodTruth* pod : world_.truth.pods_of(*set)) {
    if (dice_.chance(0.3)) costs[pod->name] = dice_.chance(0.5) ? boost::json::value(3) : nullptr;
  }
  send(model::merge_patch_request(path_of(group_costs(), name), {{"spec", {{"costs", costs}}}}));
}

void RankWriters::mark_pods() {
  const SetTruth* const set = some_set();
  if (set == nullptr) return;
  const double share = dice_.chance(0.3) ? 1 : 0.4;
  const std::uint64_t what = dice_.below(4);
  const bool removes = dice_.chance(0.4);
  for (const PodTruth* pod : world_.truth.pods_of(*set)) {
    if (!dice_.chance(share)) continue;
    // Often one that a ranker may have written as well.
    const auto rolled = static_cast<std::int64_t>(dice_.below(200));
    const std::int64_t number = rolled < 100 ? rolled % 7 - 3 : rolled - 150;
    boost::json::value text(removes             ? boost::json::value(nullptr)
                            : dice_.chance(0.1) ? boost::json::value("many")
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

void RankWriters::mark_node() {
  const std::string path = path_of(node_objects(), one_of(kNodes, dice_));
  const auto patch = [&](const std::string& where, const object& change) {
    send(model::merge_patch_request(where, change));
  };
  const std::uint64_t what = dice_.below(5);
  if (what == 0) {
    patch(path, {{"metadata", {{"labels", {{"ebb.dev/price", std::to_string(dice_.below(9))}}}}}});
  } else if (what == 1) {
    const std::string zone = fmt::format("zone-{}", dice_.below(3));
    patch(path, {{"metadata", {{"labels", {{"topology.kubernetes.io/zone", zone}}}}}});
  } else if (what == 2) {
    patch(path_of(node_objects(), kClosedNode), {{"spec", {{"unschedulable", dice_.chance(0.6)}}}});
  } else if (what == 3) {
    const object taint{{"key", dice_.chance(0.5) ? "dedicated" : "ToBeDeletedByClusterAutoscaler"},
                       {"effect", "NoSchedule"}};
    patch(path_of(node_objects(), kClosedNode),
          {{"spec", {{"taints", dice_.chance(0.6) ? array{taint} : array{}}}}});
  } else {
    const object taint{{"key", "DeletionCandidateOfClusterAutoscaler"},
                       {"effect", "PreferNoSchedule"}};
    patch(path, {{"spec", {{"taints", dice_.chance(0.6) ? array{taint} : array{}}}}});
  }
}

}  // namespace ebb::sim
