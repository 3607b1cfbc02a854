#include "support/objects/pods.h"

#include <algorithm>

namespace ebb::testing {

using model::ControllerRef;
using model::Label;
using model::LabelSet;
using model::Pod;
using model::ReplicaSet;

World::World() = default;

const LabelSet* World::labels(std::vector<std::pair<std::string_view, std::string_view>> labels) {
  std::sort(labels.begin(), labels.end());
  std::vector<Label> interned;
  for (const auto& [key, value] : labels) interned.push_back({intern(key), intern(value)});
  return snapshot.pool.intern(std::move(interned));
}

const ControllerRef* World::owner(std::string_view kind, std::string_view name,
                                  std::string_view uid, std::string_view group) {
  return snapshot.pool.intern(
      ControllerRef{intern(group), intern(kind), intern(name), intern(uid)});
}

Pod World::pod(std::string_view name) {
  Pod pod;
  pod.name = intern(name);
  pod.namespace_name = intern("default");
  pod.uid = intern(name);
  pod.node = intern("node-1");
  pod.labels = labels({{"app", "web"}});
  pod.controller = owner("ReplicaSet", "web", "web-uid");
  pod.created = ago(5 * kHour);
  pod.ready_since = ago(5 * kHour);
  pod.phase = model::Phase::kRunning;
  pod.ready = true;
  return pod;
}

ReplicaSet World::replica_set(std::string_view name, std::int32_t replicas) {
  ReplicaSet set;
  set.name = intern(name);
  set.namespace_name = intern("default");
  set.uid = intern(std::string(name) + "-uid");
  set.replicas = replicas;
  set.selector.requirements.push_back(
      {intern("app"), model::Requirement::Operator::kIn, {intern(name)}});
  set.template_labels = labels({{"app", name}});
  return set;
}

std::vector<const Pod*> pointers(const std::vector<Pod>& pods) {
  std::vector<const Pod*> result;
  for (const Pod& pod : pods) result.push_back(&pod);
  return result;
}

std::vector<const model::ReplicaSet*> pointers(const std::vector<model::ReplicaSet>& sets) {
  std::vector<const model::ReplicaSet*> result;
  for (const model::ReplicaSet& set : sets) result.push_back(&set);
  return result;
}

}  // namespace ebb::testing
