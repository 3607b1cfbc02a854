#include "hollow/cluster_view.h"

#include <algorithm>

#include "base/check.h"
#include "schema/core/json.h"

namespace ebb::hollow {
namespace {

constexpr std::string_view kUnschedulable = "node.kubernetes.io/unschedulable";

StaticFit work_out(const PodDemand& demand, const NodeView& node) {
  StaticFit fit;
  fit.node_version = node.version;
  fit.matches_affinity =
      std::all_of(demand.node_selector.begin(), demand.node_selector.end(),
                  [&](const auto& wanted) {
                    const auto label = node.labels.find(wanted.first);
                    return label != node.labels.end() && label->second == wanted.second;
                  }) &&
      (!demand.has_node_terms ||
       std::any_of(demand.node_terms.begin(), demand.node_terms.end(),
                   [&](const NodeTerm& term) { return term.selects(node.name, node.labels); }));
  fit.tolerates_taints = true;
  for (const Taint& taint : node.taints) {
    if (tolerated(taint, demand.tolerations)) continue;
    if (taint.effect == "PreferNoSchedule") {
      ++fit.soft_taints;
    } else {
      fit.tolerates_taints = false;
    }
  }
  const Taint cordon{.key = std::string(kUnschedulable), .value = {}, .effect = "NoSchedule"};
  fit.schedulable = !node.unschedulable || tolerated(cordon, demand.tolerations);
  for (const auto& each : demand.preferred_nodes) {
    if (each.term.selects(node.name, node.labels)) fit.preference += each.weight;
  }
  return fit;
}

}  // namespace

Slot ClusterView::slot_for(std::string_view name) {
  const auto known = slots_.find(name);
  if (known != slots_.end()) return known->second;
  Slot slot = nodes_.size();
  if (free_slots_.empty()) {
    nodes_.emplace_back();
    // Topologies have an entry for each slot.
    ++nodes_version_;
  } else {
    slot = free_slots_.back();
    free_slots_.pop_back();
  }
  nodes_[slot].name = name;
  slots_.emplace(name, slot);
  return slot;
}

void ClusterView::give_back_if_empty(Slot slot) {
  NodeView& node = nodes_[slot];
  if (node.exists || node.used.pods != 0) return;
  slots_.erase(node.name);
  node = {};
  free_slots_.push_back(slot);
}

bool ClusterView::set_node(const boost::json::object& object) {
  NodeView& node = nodes_[slot_for(schema::text_at(object, {"metadata", "name"}))];
  Labels labels = read_labels(schema::object_at(object, {"metadata", "labels"}));
  std::vector<Taint> taints = read_taints(object);
  const bool unschedulable = schema::is_true_at(object, {"spec", "unschedulable"});
  // After kubectl cordon the node controller adds this taint; spec.unschedulable already covers it.
  std::erase_if(taints, [](const Taint& taint) { return taint.key == kUnschedulable; });
  const boost::json::object* amounts = schema::object_at(object, {"status", "allocatable"});
  if (amounts == nullptr) amounts = schema::object_at(object, {"status", "capacity"});
  Resources allocatable = read_resources(amounts);
  if (node.exists && node.labels == labels && node.taints == taints &&
      node.unschedulable == unschedulable && node.allocatable == allocatable) {
    return false;
  }
  if (!node.exists) ++node_count_;
  node.exists = true;
  node.labels = std::move(labels);
  node.taints = std::move(taints);
  node.unschedulable = unschedulable;
  node.allocatable = std::move(allocatable);
  ++version_;
  node.version = ++nodes_version_;
  return true;
}

void ClusterView::remove_node(std::string_view name) {
  const auto known = slots_.find(name);
  if (known == slots_.end() || !nodes_[known->second].exists) return;
  const Slot slot = known->second;
  NodeView& node = nodes_[slot];
  node.exists = false;
  node.labels.clear();
  node.taints.clear();
  node.allocatable = {};
  node.version = ++nodes_version_;
  --node_count_;
  ++version_;
  give_back_if_empty(slot);
}

TermView& ClusterView::acquire(const PodTerm& what) {
  const auto [entry, fresh] = terms_.try_emplace(what);
  TermView& term = entry->second;
  ++term.users;
  if (!fresh) return term;
  term.what = &entry->first;
  for (auto& [demand, view] : demands_) {
    if (!what.selects(demand.namespace_name, demand.labels)) continue;
    view.selecting.push_back(&term);
    const Counts& counts = what.counts_terminating ? view.pods : view.active;
    for (Slot slot = 0; slot < nodes_.size(); ++slot) {
      if (counts.at(slot) != 0) term.selected.add(slot, counts.at(slot));
    }
  }
  return term;
}

void ClusterView::release(TermView& term) {
  if (--term.users > 0) return;
  for (auto& entry : demands_) std::erase(entry.second.selecting, &term);
  // A copy, because the key must outlive the lookup.
  const PodTerm what = *term.what;
  terms_.erase(what);
}

DemandView& ClusterView::acquire(PodDemand what) {
  const auto [entry, fresh] = demands_.try_emplace(std::move(what));
  DemandView& demand = entry->second;
  ++demand.users;
  if (!fresh) return demand;
  const PodDemand& own = entry->first;
  demand.what = &own;
  for (auto& [term, view] : terms_) {
    if (term.selects(own.namespace_name, own.labels)) demand.selecting.push_back(&view);
  }
  for (const PodTerm& term : own.affinity) demand.affinity.push_back(&acquire(term));
  for (const PodTerm& term : own.anti_affinity) demand.anti_affinity.push_back(&acquire(term));
  for (const SpreadConstraint& each : own.spread) demand.spread.push_back(&acquire(each.term));
  for (const auto& each : own.preferred_pods) demand.preferred_pods.push_back(&acquire(each.term));
  if (!own.controller.empty()) {
    demand.peers = &peers_[own.controller];
    ++demand.peers->users;
  }
  return demand;
}

void ClusterView::release(DemandView& demand) {
  EBB_CHECK(demand.users > 0);
  if (--demand.users > 0) return;
  EBB_CHECK(demand.pods.total() == 0);
  for (const auto* terms :
       {&demand.affinity, &demand.anti_affinity, &demand.spread, &demand.preferred_pods}) {
    for (TermView* term : *terms) release(*term);
  }
  if (demand.peers != nullptr && --demand.peers->users == 0) peers_.erase(demand.what->controller);
  const auto own = demands_.find(*demand.what);
  demands_.erase(own);
}

void ClusterView::count(DemandView& demand, Slot slot, std::int64_t change, bool pods,
                        bool active) {
  if (pods) demand.pods.add(slot, change);
  if (active) demand.active.add(slot, change);
  for (TermView* term : demand.selecting) {
    if (term->what->counts_terminating ? pods : active) term->selected.add(slot, change);
  }
  if (pods) {
    for (TermView* term : demand.anti_affinity) term->owners.add(slot, change);
  }
  if (active && demand.peers != nullptr) demand.peers->active.add(slot, change);
  ++version_;
}

Slot ClusterView::place(DemandView& demand, std::string_view node, bool terminating) {
  const Slot slot = slot_for(node);
  nodes_[slot].used += demand.what->requests();
  count(demand, slot, 1, true, !terminating);
  return slot;
}

void ClusterView::set_terminating(DemandView& demand, Slot slot) {
  count(demand, slot, -1, false, true);
}

void ClusterView::displace(DemandView& demand, Slot slot, bool terminating) {
  nodes_[slot].used -= demand.what->requests();
  count(demand, slot, -1, true, !terminating);
  give_back_if_empty(slot);
}

const Topology& ClusterView::topology(const std::string& key) const {
  Topology& topology = topologies_[key];
  if (topology.version == nodes_version_) return topology;
  topology.version = nodes_version_;
  topology.domain_of.assign(nodes_.size(), Topology::kNone);
  std::map<std::string_view, std::size_t> domains;
  for (Slot slot = 0; slot < nodes_.size(); ++slot) {
    if (!nodes_[slot].exists) continue;
    const auto label = nodes_[slot].labels.find(key);
    if (label == nodes_[slot].labels.end()) continue;
    topology.domain_of[slot] = domains.emplace(label->second, domains.size()).first->second;
  }
  topology.domains = domains.size();
  return topology;
}

const StaticFit& ClusterView::fit(const DemandView& demand, Slot slot) const {
  if (slot >= demand.fits.size()) demand.fits.resize(nodes_.size());
  StaticFit& known = demand.fits[slot];
  if (known.node_version != nodes_[slot].version) known = work_out(*demand.what, nodes_[slot]);
  return known;
}

}  // namespace ebb::hollow
