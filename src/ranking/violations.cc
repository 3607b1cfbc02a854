#include "ranking/violations.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <fmt/format.h>

#include "model/records/selector_memo.h"

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

// The cost of evaluating a selector, relative to a small one.
std::size_t cost_of(const AntiAffinityTerm& term) {
  constexpr std::size_t kPartsOfASmallOne = 8;
  std::size_t parts = 0;
  for (const model::Requirement& requirement : term.selector.requirements) {
    parts += 1 + requirement.values.size();
  }
  return 1 + parts / kPartsOfASmallOne;
}

std::span<const Interned> namespaces_of(const AntiAffinityTerm& term) {
  return std::span(term.namespaces).first(std::min(term.namespaces.size(), kMaxNamespacesPerTerm));
}

// The terms that pods of a group hold, within the limits.
struct GroupTerms {
  using OfPlacement = std::pair<const Placement*, std::vector<const AntiAffinityTerm*>>;
  std::vector<OfPlacement> of_placements{};  // for every placement of the pods, even without terms
  std::size_t allowed = 0;                   // cost of all terms, including those of other pods
  bool cut = false;                          // some terms were left out
};

// The selection does not depend on the order of the pods: all templates of the group have an equal
// share.
GroupTerms terms_of_group(Pods pods) {
  GroupTerms terms;
  boost::unordered_flat_set<const Placement*> met;
  std::size_t holders = 0;
  const Placement* last = nullptr;  // pods of one template share it
  for (const Pod* pod : pods) {
    if (!met.empty() && pod->placement == last) continue;
    last = pod->placement;
    if (!met.insert(last).second) continue;
    terms.of_placements.push_back({last, {}});
    holders += last != nullptr && !last->anti_affinity.empty() ? 1 : 0;
  }
  if (pods.empty()) return terms;
  terms.allowed = std::clamp<std::size_t>(kMaxPodTerms / pods.size(), 1, kMaxTermsPerGroup);
  const std::size_t share = holders == 0 ? 0 : terms.allowed / holders;
  for (auto& [placement, weighed] : terms.of_placements) {
    if (placement == nullptr) continue;
    std::size_t left = share;
    for (const AntiAffinityTerm& term : placement->anti_affinity) {
      if (weighed.size() == kMaxTermsPerPod || left == 0) break;
      const std::size_t cost = cost_of(term);
      if (cost > left) continue;
      left -= cost;
      weighed.push_back(&term);
    }
    terms.cut = terms.cut || weighed.size() < placement->anti_affinity.size();
  }
  return terms;
}

// A term that a pod of the group holds, or that matches one and is held in the group's namespace.
struct Rule {
  Rule(const AntiAffinityTerm& of, bool by_group)
      : term(&of), of_group(by_group), cost(cost_of(of)), memo({&of.selector}) {
    const auto named = namespaces_of(of);
    namespaces.insert(named.begin(), named.end());
  }

  const AntiAffinityTerm* term;
  bool of_group;  // held by a pod of the group
  std::size_t cost;
  model::SelectorMemo memo;
  boost::unordered_flat_set<Interned> namespaces{};          // empty: the group's own
  boost::unordered_flat_map<Interned, std::size_t> spots{};  // by domain
};

class Search {
 public:
  Search(Pods pods, const ClusterReader& cluster) : pods_(pods), cluster_(cluster) {
    if (pods.empty()) return;
    home_ = pods.front()->namespace_name;
    const LabelSet* last = nullptr;  // pods of one template share it
    for (const Pod* pod : pods) {
      group_.insert(pod->uid);
      if (labels_of(*pod) != last) labels_.insert(last = labels_of(*pod));
    }
    make_rules_of_group();
  }

  Violations run() && {
    found_.stakes.resize(pods_.size());
    if (pods_.empty()) return std::move(found_);
    // The terms of other pods must be known before the stakes are computed.
    find_other_holders();
    for (std::size_t i = 0; i < pods_.size(); ++i) add_stakes(i);
    found_.effort.units += pods_.size() * used_;
    for (const Holder& holder : other_holders_) count(holder);
    for (const Interned namespace_name : meant_namespaces()) count_meant_in(namespace_name);
    report_limits();
    return std::move(found_);
  }

 private:
  struct Holder {
    const Placement* placement = nullptr;
    Interned node;
  };
  // The relation of a pod of the group to a rule, on any node.
  struct Relation {
    std::size_t rule = 0;
    bool holds = false;
    bool meant = false;
  };
  using Rules = std::vector<std::size_t>;

  void make_rules_of_group() {
    const GroupTerms own = terms_of_group(pods_);
    allowed_ = own.allowed;
    cuts_terms_ = own.cut;
    for (const auto& [placement, terms] : own.of_placements) {
      Rules& rules = rules_of_[placement];
      for (const AntiAffinityTerm* term : terms) {
        rules.push_back(rules_.size());
        rules_.emplace_back(*term, true);
        used_ += rules_.back().cost;
        cuts_namespaces_ = cuts_namespaces_ || term->namespaces.size() > kMaxNamespacesPerTerm;
      }
    }
  }

  // Most pods of a namespace are unrelated to the group, so this is checked once for each
  // placement.
  void find_other_holders() {
    const std::size_t own_rules = rules_.size();
    const std::size_t own_placements = rules_of_.size();
    std::size_t cost = used_;
    std::size_t holdings = 0;
    cluster_.each_pod_in(home_.view(), [&](const Pod& pod) {
      ++home_pods_;
      if (pod.placement == nullptr || pod.placement->anti_affinity.empty()) return;
      if (pod.node.empty() || cuts_others_) return;
      auto known = rules_of_.find(pod.placement);
      if (known == rules_of_.end()) {
        cuts_others_ = rules_of_.size() - own_placements == kMaxOtherPlacements;
        if (cuts_others_) return;
        known = rules_of_.emplace(pod.placement, make_rules_of_other(*pod.placement, cost)).first;
      }
      if (known->second.empty() || group_.contains(pod.uid)) return;
      other_holders_.push_back({pod.placement, pod.node});
      holdings += known->second.size();
      cuts_others_ = cost > allowed_ || holdings > kMaxPodTerms;
    });
    found_.effort.units += home_pods_ + holdings + looked_at_;
    if (!cuts_others_) {
      used_ = cost;
      return;
    }
    // All or none: their order is arbitrary.
    other_holders_.clear();
    rules_.erase(rules_.begin() + static_cast<std::ptrdiff_t>(own_rules), rules_.end());
    for (auto& [placement, rules] : rules_of_) {
      std::erase_if(rules, [&](std::size_t rule) { return rule >= own_rules; });
    }
  }

  // The rules for the relevant terms of a placement.
  Rules make_rules_of_other(const Placement& placement, std::size_t& cost) {
    Rules rules;
    const std::size_t looked_at = std::min(placement.anti_affinity.size(), kMaxTermsPerPod);
    for (const AntiAffinityTerm& term : std::span(placement.anti_affinity).first(looked_at)) {
      looked_at_ += matches_labels() ? cost_of(term) * labels_.size() : 1;
      if (looked_at_ > kMaxPodTerms) {
        cuts_others_ = true;
        return rules;
      }
      if (!may_mean_group(term)) continue;
      cost += cost_of(term);
      if (cost > allowed_) {
        cuts_others_ = true;
        return rules;
      }
      rules.push_back(rules_.size());
      rules_.emplace_back(term, false);
    }
    return rules;
  }

  // If the pods of the group differ much, exact matching is left for later.
  [[nodiscard]] bool matches_labels() const {
    constexpr std::size_t kFewLabelSets = 16;
    return labels_.size() <= kFewLabelSets;
  }

  [[nodiscard]] bool may_mean_group(const AntiAffinityTerm& term) const {
    const auto named = namespaces_of(term);
    if (!named.empty() && std::find(named.begin(), named.end(), home_) == named.end()) return false;
    return !matches_labels() || cost_of(term) > allowed_ ||
           std::any_of(labels_.begin(), labels_.end(),
                       [&](const LabelSet* labels) { return term.selector.matches(*labels); });
  }

  [[nodiscard]] bool covers(const Rule& rule, Interned namespace_name) const {
    return rule.namespaces.empty() ? namespace_name == home_
                                   : rule.namespaces.contains(namespace_name);
  }
  [[nodiscard]] bool means(Rule& rule, const Pod& pod) const {
    return covers(rule, pod.namespace_name) && rule.memo.matches(labels_of(pod));
  }

  // Null if the node is unknown.
  [[nodiscard]] const model::Node* node_of(Interned name) const {
    const model::Node* node = name.empty() ? nullptr : cluster_.node(name);
    return node == nullptr || node->labels == nullptr ? nullptr : node;
  }
  // Null if the node is in no domain of the rule's topology key.
  [[nodiscard]] static const Interned* domain_of(const model::Node& node, const Rule& rule) {
    return node.labels->find(rule.term->topology_key);
  }

  // Neighbours in a group usually share a template, so the last result is cached.
  const std::vector<Relation>& relations_of(const Pod& pod) {
    if (related_ && related_->first == pod.placement && related_->second == labels_of(pod)) {
      return relations_;
    }
    related_ = {pod.placement, labels_of(pod)};
    relations_.clear();
    const Rules& own = rules_of_.at(pod.placement);
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      const bool holds = std::find(own.begin(), own.end(), i) != own.end();
      const bool meant = means(rules_[i], pod);
      if (holds || meant) relations_.push_back({i, holds, meant});
    }
    return relations_;
  }

  void add_stakes(std::size_t index) {
    const model::Node* const node = node_of(pods_[index]->node);
    if (node == nullptr) return;
    const std::vector<Relation>& relations = relations_of(*pods_[index]);
    found_.stakes[index].reserve(relations.size());
    for (const auto& [number, holds, meant] : relations) {
      Rule& rule = rules_[number];
      const Interned* domain = domain_of(*node, rule);
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

  // Domains without a pod of the group need no counts.
  Spot* spot_of(const model::Node& node, const Rule& rule) {
    const Interned* domain = domain_of(node, rule);
    if (domain == nullptr) return nullptr;
    const auto found = rule.spots.find(*domain);
    return found == rule.spots.end() ? nullptr : &found_.spots[found->second];
  }

  void count(const Holder& holder) {
    const model::Node* const node = node_of(holder.node);
    if (node == nullptr) return;
    for (const std::size_t i : rules_of_.at(holder.placement)) {
      if (Spot* spot = spot_of(*node, rules_[i])) ++spot->other_holders;
    }
  }

  // Counts the pods of a namespace that terms of the group match: all of them or none.
  void count_meant_in(Interned namespace_name) {
    std::vector<Rule*> covering;
    std::size_t cost = 0;
    for (Rule& rule : rules_) {
      if (!rule.of_group || !covers(rule, namespace_name)) continue;
      covering.push_back(&rule);
      cost += rule.cost;
    }
    std::size_t pods = namespace_name == home_ ? home_pods_ : 0;
    if (namespace_name != home_)
      cluster_.each_pod_in(namespace_name.view(), [&](const Pod&) { ++pods; });
    found_.effort.units += rules_.size() + pods;
    if (cost > 0 && pods > meant_left_ / cost) {
      ++uncounted_namespaces_;
      return;
    }
    meant_left_ -= pods * cost;
    found_.effort.units += pods * cost;
    cluster_.each_pod_in(namespace_name.view(),
                         [&](const Pod& pod) { count_meant(pod, covering); });
  }

  void count_meant(const Pod& pod, const std::vector<Rule*>& covering) {
    const model::Node* node = nullptr;
    for (Rule* rule : covering) {
      if (!rule->memo.matches(labels_of(pod))) continue;
      if (node == nullptr) {
        if (group_.contains(pod.uid)) return;
        node = node_of(pod.node);
        if (node == nullptr) return;
      }
      if (Spot* spot = spot_of(*node, *rule)) ++spot->others_meant;
    }
  }

  // Of terms that the group holds; its own namespace comes first.
  [[nodiscard]] std::vector<Interned> meant_namespaces() const {
    boost::unordered_flat_set<Interned> named;
    bool means_home = false;
    for (const Rule& rule : rules_) {
      if (!rule.of_group) continue;
      means_home = means_home || covers(rule, home_);
      named.insert(rule.namespaces.begin(), rule.namespaces.end());
    }
    named.erase(home_);
    std::vector<Interned> sorted(named.begin(), named.end());
    std::sort(sorted.begin(), sorted.end(),
              [](Interned a, Interned b) { return a.view() < b.view(); });
    if (means_home) sorted.insert(sorted.begin(), home_);
    return sorted;
  }

  void report_limits() {
    std::vector<std::string>& limits = found_.effort.limits;
    if (cuts_terms_) {
      limits.push_back(fmt::format(
          "not all anti-affinity terms are weighed: at most {} of a pod, and {} of a group this "
          "large",
          kMaxTermsPerPod, allowed_));
    }
    if (cuts_namespaces_) {
      limits.push_back(fmt::format("only the first {} namespaces of an anti-affinity term count",
                                   kMaxNamespacesPerTerm));
    }
    if (cuts_others_) {
      limits.emplace_back(
          "anti-affinity terms of other workloads are not weighed: the namespace has too many");
    }
    if (uncounted_namespaces_ > 0) {
      limits.push_back(fmt::format(
          "anti-affinity to the pods of {} {} is not weighed: there are too many pods",
          uncounted_namespaces_, uncounted_namespaces_ == 1 ? "namespace" : "namespaces"));
    }
  }

  Pods pods_;
  const ClusterReader& cluster_;
  Interned home_;
  boost::unordered_flat_set<Interned> group_;          // uids
  boost::unordered_flat_set<const LabelSet*> labels_;  // that pods of the group have
  std::vector<Rule> rules_;                            // those of the group first
  boost::unordered_flat_map<const Placement*, Rules> rules_of_;
  std::vector<Holder> other_holders_;
  std::optional<std::pair<const Placement*, const LabelSet*>> related_;
  std::vector<Relation> relations_;
  Violations found_;
  // Limits, and the remaining allowance.
  std::size_t allowed_ = 0;  // cost of all rules together
  std::size_t used_ = 0;
  std::size_t meant_left_ = kMaxMeantPodTerms;
  std::size_t home_pods_ = 0;
  std::size_t looked_at_ = 0;  // cost of finding the terms of other pods that match the group
  bool cuts_terms_ = false;
  bool cuts_namespaces_ = false;
  bool cuts_others_ = false;
  std::size_t uncounted_namespaces_ = 0;
};

}  // namespace

Violations find_violations(Pods pods, const ClusterReader& cluster) {
  return Search(pods, cluster).run();
}

std::vector<Interned> namespaces_meant(Pods pods) {
  std::vector<Interned> namespaces;
  for (const auto& [placement, terms] : terms_of_group(pods).of_placements) {
    for (const AntiAffinityTerm* term : terms) {
      const auto named = namespaces_of(*term);
      namespaces.insert(namespaces.end(), named.begin(), named.end());
    }
  }
  return namespaces;
}

}  // namespace ebb::ranking
