#include "ranking/violations.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "model/selector_memo.h"

namespace ebb::ranking {
namespace {

using model::AntiAffinityTerm;
using model::Interned;
using model::LabelSet;
using model::Placement;
using model::Pod;

constexpr std::int64_t kRequiredValue = 1'000;

const LabelSet* labels_of(const Pod& pod) {
  static const LabelSet kNone;
  return pod.labels == nullptr ? &kNone : pod.labels;
}

// A term that a pod of the group holds, or that means one and is held in the group's namespace.
struct Rule {
  const AntiAffinityTerm* term = nullptr;
  bool of_group = false;  // held by a pod of the group
  model::SelectorMemo memo;
  boost::unordered_flat_map<Interned, std::size_t> spots{};  // by domain
};

class Search {
 public:
  Search(Pods pods, const Surroundings& around) : pods_(pods), around_(around) {
    if (pods.empty()) return;
    home_ = pods.front()->name_space;
    for (const Pod* pod : pods) {
      group_.insert(pod->uid);
      if (std::find(labels_.begin(), labels_.end(), labels_of(*pod)) == labels_.end()) {
        labels_.push_back(labels_of(*pod));
      }
    }
    for (const Pod* pod : pods) make_rules(pod->placement, true);
  }

  Violations run() && {
    found_.stakes.resize(pods_.size());
    if (pods_.empty()) return std::move(found_);
    // The terms of others have to be known before anybody's stake in them is.
    find_other_holders();
    for (std::size_t i = 0; i < pods_.size(); ++i) add_stakes(i);
    for (const Holder& holder : other_holders_) count(holder);
    for (const Interned name_space : meant_namespaces()) {
      around_.each_pod_in(name_space.view(), [&](const Pod& pod) { count_meant(pod); });
    }
    return std::move(found_);
  }

 private:
  struct Holder {
    const Placement* placement = nullptr;
    Interned node;
  };
  // What a pod of the group has to do with a rule, wherever it is.
  struct Relation {
    std::size_t rule = 0;
    bool holds = false;
    bool meant = false;
  };

  // Most pods of a namespace have nothing to do with the group, so that is found out once for each
  // placement.
  void find_other_holders() {
    around_.each_pod_in(home_.view(), [&](const Pod& pod) {
      if (pod.placement == nullptr || pod.node.empty()) return;
      if (make_rules(pod.placement, false).empty() || group_.contains(pod.uid)) return;
      other_holders_.push_back({pod.placement, pod.node});
    });
  }

  // The rules for those terms of a placement that matter, made when it is met first.
  const std::vector<std::size_t>& make_rules(const Placement* placement, bool of_group) {
    const auto [known, is_new] = rules_of_.try_emplace(placement);
    if (!is_new || placement == nullptr) return known->second;
    for (const AntiAffinityTerm& term : placement->anti_affinity) {
      if (!of_group && !means_group(term)) continue;
      known->second.push_back(rules_.size());
      rules_.push_back(
          {.term = &term, .of_group = of_group, .memo = model::SelectorMemo({&term.selector})});
    }
    return known->second;
  }

  [[nodiscard]] bool means_group(const AntiAffinityTerm& term) const {
    return covers(term, home_) &&
           std::any_of(labels_.begin(), labels_.end(),
                       [&](const LabelSet* labels) { return term.selector.matches(*labels); });
  }

  [[nodiscard]] bool covers(const AntiAffinityTerm& term, Interned name_space) const {
    if (term.namespaces.empty()) return name_space == home_;
    return std::find(term.namespaces.begin(), term.namespaces.end(), name_space) !=
           term.namespaces.end();
  }
  [[nodiscard]] bool means(Rule& rule, const Pod& pod) const {
    return covers(*rule.term, pod.name_space) && rule.memo.matches(labels_of(pod));
  }

  // Null if the pod is in no domain of the rule's topology key.
  [[nodiscard]] const Interned* domain_of(Interned node_name, const Rule& rule) const {
    const model::Node* node = node_name.empty() ? nullptr : around_.node(node_name);
    if (node == nullptr || node->labels == nullptr) return nullptr;
    return node->labels->find(rule.term->topology_key);
  }

  // Neighbours in a group mostly are of one template, so the last answer serves again.
  const std::vector<Relation>& relations_of(const Pod& pod) {
    if (related_ && related_->first == pod.placement && related_->second == labels_of(pod)) {
      return relations_;
    }
    related_ = {pod.placement, labels_of(pod)};
    relations_.clear();
    const std::vector<std::size_t>& own = rules_of_.at(pod.placement);
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      const bool holds = std::find(own.begin(), own.end(), i) != own.end();
      const bool meant = means(rules_[i], pod);
      if (holds || meant) relations_.push_back({i, holds, meant});
    }
    return relations_;
  }

  void add_stakes(std::size_t index) {
    for (const auto& [number, holds, meant] : relations_of(*pods_[index])) {
      Rule& rule = rules_[number];
      const Interned* domain = domain_of(pods_[index]->node, rule);
      if (domain == nullptr) continue;
      const auto [spot, is_new] = rule.spots.emplace(*domain, found_.spots.size());
      if (is_new) {
        found_.spots.emplace_back().value =
            rule.term->weight == 0 ? kRequiredValue : rule.term->weight;
      }
      found_.spots[spot->second].members.push_back({index, holds, meant});
      found_.stakes[index].push_back({spot->second, holds, meant});
    }
  }

  // Where no pod of the group is, nothing needs to be counted.
  Spot* spot_of(Interned node, const Rule& rule) {
    const Interned* domain = domain_of(node, rule);
    if (domain == nullptr) return nullptr;
    const auto found = rule.spots.find(*domain);
    return found == rule.spots.end() ? nullptr : &found_.spots[found->second];
  }

  void count(const Holder& holder) {
    for (const std::size_t i : rules_of_.at(holder.placement)) {
      if (Spot* spot = spot_of(holder.node, rules_[i])) ++spot->other_holders;
    }
  }

  void count_meant(const Pod& pod) {
    for (Rule& rule : rules_) {
      if (!rule.of_group || !means(rule, pod)) continue;
      if (group_.contains(pod.uid)) return;
      if (Spot* spot = spot_of(pod.node, rule)) ++spot->others_meant;
    }
  }

  // Of terms that the group holds.
  [[nodiscard]] boost::unordered_flat_set<Interned> meant_namespaces() const {
    boost::unordered_flat_set<Interned> namespaces;
    for (const Rule& rule : rules_) {
      if (!rule.of_group) continue;
      if (rule.term->namespaces.empty()) namespaces.insert(home_);
      namespaces.insert(rule.term->namespaces.begin(), rule.term->namespaces.end());
    }
    return namespaces;
  }

  Pods pods_;
  const Surroundings& around_;
  Interned home_;
  boost::unordered_flat_set<Interned> group_;  // uids
  std::vector<const LabelSet*> labels_;        // that pods of the group have
  std::vector<Rule> rules_;
  boost::unordered_flat_map<const Placement*, std::vector<std::size_t>> rules_of_;
  std::vector<Holder> other_holders_;
  std::optional<std::pair<const Placement*, const LabelSet*>> related_;
  std::vector<Relation> relations_;
  Violations found_;
};

}  // namespace

Violations find_violations(Pods pods, const Surroundings& around) {
  return Search(pods, around).run();
}

}  // namespace ebb::ranking
