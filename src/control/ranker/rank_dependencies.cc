#include "control/ranker/rank_dependencies.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "ranking/violations.h"

namespace ebb::control {
namespace {

void sort_once(std::vector<std::string_view>& names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
}

template <class Index>
void leave(Index& index, const std::string& name, const Key& group) {
  const auto found = index.find(name);
  if (found == index.end()) return;
  found->second.erase(group);
  if (found->second.empty()) index.erase(found);
}

// Most events add or remove one pod of a group, so only the difference is written.
template <class Index>
void update(Index& index, std::vector<std::string>& names,
            const std::vector<std::string_view>& wanted, const Key& group) {
  std::vector<std::string> gone;
  std::set_difference(names.begin(), names.end(), wanted.begin(), wanted.end(),
                      std::back_inserter(gone), std::less<>());
  std::vector<std::string_view> added;
  std::set_difference(wanted.begin(), wanted.end(), names.begin(), names.end(),
                      std::back_inserter(added), std::less<>());
  if (gone.empty() && added.empty()) return;
  for (const std::string& name : gone) leave(index, name, group);
  for (const std::string_view name : added) index[std::string(name)].insert(group);
  names.assign(wanted.begin(), wanted.end());
}

}  // namespace

void RankDependencies::set(const Key& group, Reading reading) {
  if (reading.nodes.empty() && !reading.other_pods) return erase(group);
  sort_once(reading.nodes);
  sort_once(reading.namespaces);
  Noted& noted = groups_[group];
  update(by_node_, noted.nodes, reading.nodes, group);
  update(by_namespace_, noted.namespaces, reading.namespaces, group);
  if (noted.other_pods == reading.other_pods) return;
  noted.other_pods = reading.other_pods;
  if (noted.other_pods) {
    readers_of_pods_.insert(group);
  } else {
    readers_of_pods_.erase(group);
  }
}

void RankDependencies::erase(const Key& group) {
  const auto known = groups_.find(group);
  if (known == groups_.end()) return;
  for (const std::string& node : known->second.nodes) leave(by_node_, node, group);
  for (const std::string& name : known->second.namespaces) leave(by_namespace_, name, group);
  readers_of_pods_.erase(group);
  groups_.erase(known);
}

// A node label can move the pods of other groups on it to another domain.
void RankDependencies::node_changed(std::string_view node, bool labels) {
  if (by_node_.find(node) != by_node_.end()) due_.nodes.emplace(node);
  if (labels && !readers_of_pods_.empty()) due_.all_readers_of_pods = true;
}

void RankDependencies::pod_changed(std::string_view namespace_name, std::string_view node) {
  if (readers_of_pods_.empty()) return;
  if (by_node_.find(node) != by_node_.end()) due_.crowds.emplace(node);
  if (by_namespace_.find(namespace_name) != by_namespace_.end())
    due_.namespaces.emplace(namespace_name);
}

std::set<Key> RankDependencies::take_due() {
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
  for (const std::string& namespace_name : due.namespaces) add(by_namespace_, namespace_name, true);
  if (due.all_readers_of_pods) groups.insert(readers_of_pods_.begin(), readers_of_pods_.end());
  return groups;
}

bool looks_different(const Change<Pod>& change) {
  if (change.before == nullptr || change.after == nullptr) return true;
  const Pod& before = *change.before;
  const Pod& after = *change.after;
  return before.active() != after.active() || before.node != after.node ||
         before.labels != after.labels || before.placement != after.placement;
}

RankDependencies::Reading dependencies_of(const ranking::Settings& settings, ranking::Pods pods,
                                          std::string_view namespace_name) {
  RankDependencies::Reading reading;
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
  reading.namespaces.push_back(namespace_name);
  for (const model::Interned other : ranking::namespaces_meant(pods)) {
    reading.namespaces.push_back(other.view());
  }
  return reading;
}

}  // namespace ebb::control
