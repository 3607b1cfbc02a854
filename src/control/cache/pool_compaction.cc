#include "control/cache/pool_compaction.h"

#include <utility>
#include <vector>

namespace ebb::control {

using model::ControllerRef;
using model::Interned;
using model::LabelSet;

void PoolCompaction::move(Interned& text) { text = to_.intern(text.view()); }

void PoolCompaction::move(const LabelSet*& labels) {
  if (labels == nullptr) return;
  const auto [place, fresh] = label_sets_.emplace(labels, nullptr);
  if (fresh) {
    std::vector<model::Label> copy = labels->labels;
    for (model::Label& label : copy) {
      move(label.key);
      move(label.value);
    }
    place->second = to_.intern(std::move(copy));
  }
  labels = place->second;
}

void PoolCompaction::move(const ControllerRef*& owner) {
  if (owner == nullptr) return;
  const auto [place, fresh] = owners_.emplace(owner, nullptr);
  if (fresh) {
    ControllerRef copy = *owner;
    move(copy.group);
    move(copy.kind);
    move(copy.name);
    move(copy.uid);
    place->second = to_.intern(copy);
  }
  owner = place->second;
}

void PoolCompaction::move(const model::Placement*& placement) {
  if (placement == nullptr) return;
  const auto [place, fresh] = placements_.emplace(placement, nullptr);
  if (fresh) {
    model::Placement copy = *placement;
    for (model::Toleration& toleration : copy.tolerations) {
      move(toleration.key);
      move(toleration.value);
    }
    for (model::AntiAffinityTerm& term : copy.anti_affinity) {
      move(term.topology_key);
      move(term.selector);
      for (Interned& namespace_name : term.namespaces) move(namespace_name);
    }
    place->second = to_.placements().intern(std::move(copy));
  }
  placement = place->second;
}

void PoolCompaction::move(model::Selector& selector) {
  for (model::Requirement& requirement : selector.requirements) {
    move(requirement.key);
    for (Interned& value : requirement.values) move(value);
  }
}

void PoolCompaction::move(model::Pod& pod) {
  for (Interned* text : {&pod.name, &pod.namespace_name, &pod.uid, &pod.node, &pod.scale_down_mark,
                         &pod.previous_cost}) {
    move(*text);
  }
  move(pod.labels);
  move(pod.controller);
  move(pod.placement);
  move(pod.numbers);
}

void PoolCompaction::move(model::ReplicaSet& set) {
  for (Interned* text : {&set.name, &set.namespace_name, &set.uid}) move(*text);
  move(set.controller);
  move(set.labels);
  move(set.template_labels);
  move(set.selector);
}

void PoolCompaction::move(model::Deployment& deployment) {
  for (Interned* text : {&deployment.name, &deployment.namespace_name, &deployment.uid})
    move(*text);
  move(deployment.selector);
}

void PoolCompaction::move(model::DownscalePolicy& policy) {
  for (Interned* text : {&policy.name, &policy.namespace_name, &policy.uid, &policy.target_group,
                         &policy.target_kind, &policy.target_name, &policy.ranking}) {
    move(*text);
  }
}

void PoolCompaction::move(model::Node& node) {
  for (Interned* text : {&node.name, &node.uid}) move(*text);
  move(node.labels);
  for (model::Taint& taint : node.taints) {
    move(taint.key);
    move(taint.value);
  }
}

void PoolCompaction::move(model::PodGroupCost& cost) {
  for (Interned* text : {&cost.name, &cost.namespace_name, &cost.owner_kind, &cost.owner_name,
                         &cost.owner_uid, &cost.pod_set_hash}) {
    move(*text);
  }
  for (model::PodGroupCost::Entry& entry : cost.costs) move(entry.pod);
}

void PoolCompaction::move(model::DownscaleDecision& decision) {
  for (Interned* text : {&decision.name, &decision.namespace_name, &decision.uid,
                         &decision.workload_kind, &decision.workload}) {
    move(*text);
  }
}

}  // namespace ebb::control
