#include "control/rank_readers.h"

#include <algorithm>
#include <utility>

namespace ebb::control {
namespace {

void sort_once(std::vector<std::string_view>& names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
}

bool same(const std::vector<std::string>& a, const std::vector<std::string_view>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

template <class Index>
void leave(Index& index, const std::vector<std::string>& names, const Key& group) {
  for (const std::string& name : names) {
    const auto found = index.find(name);
    if (found == index.end()) continue;
    found->second.erase(group);
    if (found->second.empty()) index.erase(found);
  }
}

}  // namespace

void RankReaders::set(const Key& group, Reading reading) {
  sort_once(reading.nodes);
  sort_once(reading.namespaces);
  const auto known = groups_.find(group);
  if (known != groups_.end() && known->second.other_pods == reading.other_pods &&
      same(known->second.nodes, reading.nodes) &&
      same(known->second.namespaces, reading.namespaces)) {
    return;
  }
  erase(group);
  if (reading.nodes.empty() && !reading.other_pods) return;
  Noted noted{.nodes = {reading.nodes.begin(), reading.nodes.end()},
              .other_pods = reading.other_pods,
              .namespaces = {reading.namespaces.begin(), reading.namespaces.end()}};
  for (const std::string& node : noted.nodes) by_node_[node].insert(group);
  for (const std::string& name_space : noted.namespaces) by_namespace_[name_space].insert(group);
  if (noted.other_pods) readers_of_pods_.insert(group);
  groups_.emplace(group, std::move(noted));
}

void RankReaders::erase(const Key& group) {
  const auto known = groups_.find(group);
  if (known == groups_.end()) return;
  leave(by_node_, known->second.nodes, group);
  leave(by_namespace_, known->second.namespaces, group);
  readers_of_pods_.erase(group);
  groups_.erase(known);
}

// A label of a node can move the pods of others on it to another domain.
void RankReaders::node_changed(std::string_view node, bool labels) {
  if (by_node_.find(node) != by_node_.end()) due_.nodes.emplace(node);
  if (labels && !readers_of_pods_.empty()) due_.all_readers_of_pods = true;
}

void RankReaders::pod_changed(std::string_view name_space, std::string_view node) {
  if (readers_of_pods_.empty()) return;
  if (by_node_.find(node) != by_node_.end()) due_.crowds.emplace(node);
  if (by_namespace_.find(name_space) != by_namespace_.end()) due_.namespaces.emplace(name_space);
}

std::set<Key> RankReaders::take_due() {
  const Due due = std::exchange(due_, {});
  std::set<Key> groups;
  const auto add = [&](const Index& index, const std::string& name, bool readers_of_pods) {
    const auto found = index.find(name);
    if (found == index.end()) return;
    for (const Key& group : found->second) {
      if (!readers_of_pods || readers_of_pods_.contains(group)) groups.insert(group);
    }
  };
  for (const std::string& node : due.nodes) add(by_node_, node, false);
  for (const std::string& node : due.crowds) add(by_node_, node, true);
  for (const std::string& name_space : due.namespaces) add(by_namespace_, name_space, true);
  if (due.all_readers_of_pods) groups.insert(readers_of_pods_.begin(), readers_of_pods_.end());
  return groups;
}

RankReaders::Reading what_is_read(const ranking::Settings& settings, ranking::Pods pods,
                                  std::string_view name_space) {
  RankReaders::Reading reading;
  bool nodes = false;
  for (const ranking::Weighed& weighed : settings.strategies) {
    nodes = nodes || weighed.strategy->reads_nodes;
    reading.other_pods = reading.other_pods || weighed.strategy->reads_other_pods;
  }
  if (nodes || reading.other_pods) {
    for (const model::Pod* pod : pods) {
      if (!pod->node.empty()) reading.nodes.push_back(pod->node.view());
    }
  }
  if (!reading.other_pods) return reading;
  reading.namespaces.push_back(name_space);
  const model::Placement* last = nullptr;  // pods of one template share it
  for (const model::Pod* pod : pods) {
    if (pod->placement == nullptr || pod->placement == last) continue;
    last = pod->placement;
    for (const model::AntiAffinityTerm& term : last->anti_affinity) {
      for (const model::Interned other : term.namespaces) reading.namespaces.push_back(other.view());
    }
  }
  return reading;
}

}  // namespace ebb::control
