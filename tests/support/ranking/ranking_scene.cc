#include "support/ranking/ranking_scene.h"

#include <algorithm>

#include <boost/json/parse.hpp>

namespace ebb::testing {

using model::Interned;
using model::Node;
using model::Pod;

Node& RankingScene::add_node(std::string_view name, Labels labels) {
  labels.emplace_back("kubernetes.io/hostname", name);
  Node& node = nodes_.emplace_back();
  node.name = world.intern(name);
  node.labels = world.labels(std::move(labels));
  node.ready = true;
  return node;
}

Pod& RankingScene::add_pod(std::string_view name, std::string_view node) {
  Pod& pod = pods_.emplace_back(world.pod(name));
  pod.node = world.intern(node);
  pod.created = pod.ready_since =
      ago(100 * kHour - static_cast<Nanoseconds>(pods_.size()) * kMinute);
  return pod;
}

Pod& RankingScene::add_other_pod(std::string_view name, std::string_view node,
                                 std::string_view namespace_name) {
  Pod& pod = add_pod(name, node);
  pod.namespace_name = world.intern(namespace_name);
  pod.controller = world.owner("ReplicaSet", "other", "other-uid");
  pod.labels = world.labels({{"app", "other"}});
  return pod;
}

void RankingScene::add_taint(Node& node, std::string_view key, model::TaintEffect effect,
                             std::string_view value) {
  node.taints.push_back({world.intern(key), world.intern(value), effect});
}

model::AntiAffinityTerm RankingScene::term(std::string_view topology_key, std::string_view key,
                                           std::string_view value, std::int32_t weight) {
  model::AntiAffinityTerm term;
  term.topology_key = world.intern(topology_key);
  term.selector.requirements.push_back(
      {world.intern(key), model::Requirement::Operator::kIn, {world.intern(value)}});
  term.weight = weight;
  return term;
}

std::vector<const Pod*> RankingScene::group() const {
  std::vector<const Pod*> group;
  for (const Pod& pod : pods_) {
    if (pod.controller->name.view() == "web") group.push_back(&pod);
  }
  return group;
}

ranking::Ranks RankingScene::rank(std::string_view strategy, std::string_view args) const {
  const ranking::Weighed how = weighed(strategy, args);
  return how.strategy->rank(group(), how.args, *this);
}

const Node* RankingScene::node(Interned name) const {
  const auto found = std::find_if(nodes_.begin(), nodes_.end(),
                                  [&](const Node& node) { return node.name == name; });
  return found == nodes_.end() ? nullptr : &*found;
}

std::size_t RankingScene::pods_on(Interned node) const {
  return static_cast<std::size_t>(
      std::count_if(pods_.begin(), pods_.end(), [&](const Pod& pod) { return pod.node == node; }));
}

void RankingScene::each_pod_in(std::string_view namespace_name,
                               const std::function<void(const Pod&)>& visit) const {
  for (const Pod& pod : pods_) {
    if (pod.namespace_name.view() == namespace_name) visit(pod);
  }
}

void Without::remove(const Pod& pod) {
  uids_.insert(pod.uid.view());
  nodes_.insert(pod.node.view());
}

const Node* Without::node(Interned name) const { return all_.node(name); }

std::size_t Without::pods_on(Interned node) const {
  return all_.pods_on(node) - nodes_.count(node.view());
}

void Without::each_pod_in(std::string_view namespace_name,
                          const std::function<void(const Pod&)>& visit) const {
  all_.each_pod_in(namespace_name, [&](const Pod& pod) {
    if (!uids_.contains(pod.uid.view())) visit(pod);
  });
}

ranking::Weighed weighed(std::string_view strategy, std::string_view args, std::int32_t weight,
                         std::optional<std::int32_t> threshold) {
  return {.strategy = ranking::find_strategy(strategy),
          .args = boost::json::parse({args.data(), args.size()}).as_object(),
          .weight = weight,
          .threshold = threshold};
}

}  // namespace ebb::testing
