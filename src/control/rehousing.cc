#include "control/rehousing.h"

#include <utility>
#include <vector>

namespace ebb::control {

using model::ControllerRef;
using model::Interned;
using model::LabelSet;

void Rehousing::move(Interned& text) { text = to_.intern(text.view()); }

void Rehousing::move(const LabelSet*& labels) {
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

void Rehousing::move(const ControllerRef*& owner) {
  if (owner == nullptr) return;
  const auto [place, fresh] = owners_.emplace(owner, nullptr);
  if (fresh) {
    ControllerRef copy = *owner;
    move(copy.kind);
    move(copy.name);
    move(copy.uid);
    place->second = to_.intern(copy);
  }
  owner = place->second;
}

void Rehousing::move(const model::Placement*& placement) {
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
      for (Interned& name_space : term.namespaces) move(name_space);
    }
    place->second = to_.placements().intern(std::move(copy));
  }
  placement = place->second;
}

void Rehousing::move(model::Selector& selector) {
  for (model::Requirement& requirement : selector.requirements) {
    move(requirement.key);
    for (Interned& value : requirement.values) move(value);
  }
}

void Rehousing::move(model::Pod& pod) {
  for (Interned* text : {&pod.name, &pod.name_space, &pod.uid, &pod.node}) move(*text);
  move(pod.labels);
  move(pod.controller);
  move(pod.placement);
  move(pod.numbers);
}

void Rehousing::move(model::ReplicaSet& set) {
  for (Interned* text : {&set.name, &set.name_space, &set.uid}) move(*text);
  move(set.controller);
  move(set.labels);
  move(set.template_labels);
  move(set.selector);
}

void Rehousing::move(model::Deployment& deployment) {
  for (Interned* text : {&deployment.name, &deployment.name_space, &deployment.uid}) move(*text);
  move(deployment.selector);
}

void Rehousing::move(model::DownscalePolicy& policy) {
  for (Interned* text : {&policy.name, &policy.name_space, &policy.uid, &policy.target_kind,
                         &policy.target_name, &policy.ranking}) {
    move(*text);
  }
}

void Rehousing::move(model::Node& node) {
  for (Interned* text : {&node.name, &node.uid}) move(*text);
  move(node.labels);
  for (model::Taint& taint : node.taints) {
    move(taint.key);
    move(taint.value);
  }
}

void Rehousing::move(model::PodGroupCost& cost) {
  for (Interned* text : {&cost.name, &cost.name_space, &cost.owner_kind, &cost.owner_name,
                         &cost.owner_uid, &cost.pod_set_hash}) {
    move(*text);
  }
  for (model::PodGroupCost::Entry& entry : cost.costs) move(entry.pod);
}

}  // namespace ebb::control
