#include "hollow/placement.h"

#include <algorithm>
#include <compare>
#include <limits>
#include <map>

#include <fmt/format.h>

namespace ebb::hollow {
namespace {

constexpr const char* kZone = "topology.kubernetes.io/zone";
constexpr std::int64_t kVeryMany = std::numeric_limits<std::int64_t>::max() / 4;

// The number of pods by domain of a topology.
struct DomainCounts {
  const Topology* topology = nullptr;
  std::vector<std::int64_t> counts{};

  [[nodiscard]] bool has(Slot slot) const { return topology->domain_of[slot] != Topology::kNone; }
  [[nodiscard]] std::int64_t at(Slot slot) const { return counts[topology->domain_of[slot]]; }
};

// Counts only nodes for which `counts_here` is true.
template <class CountsHere>
DomainCounts sum_up(const ClusterView& cluster, const std::string& key, const Counts& counts,
                    const CountsHere& counts_here) {
  DomainCounts result{.topology = &cluster.topology(key)};
  result.counts.assign(result.topology->domains, 0);
  for (Slot slot = 0; slot < cluster.nodes().size(); ++slot) {
    if (result.has(slot) && counts_here(slot)) {
      result.counts[result.topology->domain_of[slot]] += counts.at(slot);
    }
  }
  return result;
}

DomainCounts sum_up(const ClusterView& cluster, const std::string& key, const Counts& counts) {
  return sum_up(cluster, key, counts, [](Slot) { return true; });
}

enum class Verdict : std::uint8_t {
  kFits,
  kUnschedulable,
  kTaint,
  kNodeAffinity,
  kResources,
  kSpreadLabel,
  kSpread,
  kPodAffinity,
  kPodAntiAffinity,
  kExistingAntiAffinity,
};

// The influence of all other pods on one pod, summed up once for all nodes.
class PlacementContext {
 public:
  PlacementContext(const ClusterView& cluster, const DemandView& demand)
      : cluster_(cluster), demand_(demand) {
    const PodDemand& what = *demand.what;
    for (const TermView* term : demand.anti_affinity) anti_.push_back(sum(*term, term->selected));
    for (const TermView* term : demand.selecting) {
      if (term->owners.total() > 0) existing_anti_.push_back(sum(*term, term->owners));
    }
    first_of_its_kind_ = true;
    for (const TermView* term : demand.affinity) {
      affinity_.push_back(sum(*term, term->selected));
      first_of_its_kind_ = first_of_its_kind_ && term->selected.total() == 0 &&
                           term->what->selects(what.namespace_name, what.labels);
    }
    for (std::size_t i = 0; i < what.spread.size(); ++i) add_spread(what.spread[i], i);
  }

  [[nodiscard]] Verdict judge(Slot slot) const {
    const StaticFit& fit = cluster_.fit(demand_, slot);
    if (!fit.schedulable) return Verdict::kUnschedulable;
    if (!fit.tolerates_taints) return Verdict::kTaint;
    if (!fit.matches_affinity) return Verdict::kNodeAffinity;
    if (!has_room(slot)) return Verdict::kResources;
    for (const Spread& spread : spread_) {
      if (!spread.counts.has(slot)) return Verdict::kSpreadLabel;
      if (spread.counts.at(slot) + spread.self - spread.least > spread.max_skew) {
        return Verdict::kSpread;
      }
    }
    return judge_neighbours(slot);
  }

 private:
  struct Spread {
    DomainCounts counts{};
    std::int64_t self = 0;
    std::int64_t least = 0;
    std::int64_t max_skew = 1;
  };

  DomainCounts sum(const TermView& term, const Counts& counts) const {
    return sum_up(cluster_, term.what->topology_key, counts);
  }

  void add_spread(const SpreadConstraint& constraint, std::size_t index) {
    if (!constraint.required) return;
    const TermView& term = *demand_.spread[index];
    const auto eligible = [&](Slot slot) { return is_eligible(constraint, slot); };
    Spread spread;
    spread.counts = sum_up(cluster_, constraint.term.topology_key, term.selected, eligible);
    spread.max_skew = constraint.max_skew;
    spread.self =
        constraint.term.selects(demand_.what->namespace_name, demand_.what->labels) ? 1 : 0;
    // A domain without an eligible node does not count for the minimum.
    std::vector<bool> reachable(spread.counts.counts.size(), false);
    for (Slot slot = 0; slot < cluster_.nodes().size(); ++slot) {
      if (spread.counts.has(slot) && eligible(slot)) {
        reachable[spread.counts.topology->domain_of[slot]] = true;
      }
    }
    const auto domains = std::count(reachable.begin(), reachable.end(), true);
    spread.least = domains == 0 ? 0 : kVeryMany;
    for (std::size_t domain = 0; domain < reachable.size(); ++domain) {
      if (reachable[domain]) spread.least = std::min(spread.least, spread.counts.counts[domain]);
    }
    if (domains < constraint.min_domains) spread.least = 0;
    spread_.push_back(std::move(spread));
  }

  [[nodiscard]] bool is_eligible(const SpreadConstraint& constraint, Slot slot) const {
    if (!cluster_.nodes()[slot].exists) return false;
    const StaticFit& fit = cluster_.fit(demand_, slot);
    if (constraint.honours_affinity && !fit.matches_affinity) return false;
    if (constraint.honours_taints && !(fit.tolerates_taints && fit.schedulable)) return false;
    // A node that lacks the key of one constraint counts for none of them.
    return std::all_of(demand_.what->spread.begin(), demand_.what->spread.end(),
                       [&](const SpreadConstraint& each) {
                         return !each.required ||
                                cluster_.topology(each.term.topology_key).domain_of[slot] !=
                                    Topology::kNone;
                       });
  }

  [[nodiscard]] bool has_room(Slot slot) const {
    const NodeView& node = cluster_.nodes()[slot];
    const PodDemand& what = *demand_.what;
    if (node.used.pods + 1 > node.allocatable.pods) return false;
    if (what.cpu_milli > 0 && node.used.cpu_milli + what.cpu_milli > node.allocatable.cpu_milli) {
      return false;
    }
    if (what.memory_bytes > 0 &&
        node.used.memory_bytes + what.memory_bytes > node.allocatable.memory_bytes) {
      return false;
    }
    return std::all_of(
        what.other_resources.begin(), what.other_resources.end(), [&](const auto& wanted) {
          return wanted.second == 0 || node.used.other(wanted.first) + wanted.second <=
                                           node.allocatable.other(wanted.first);
        });
  }

  [[nodiscard]] Verdict judge_neighbours(Slot slot) const {
    for (const DomainCounts& counts : affinity_) {
      if (!counts.has(slot)) return Verdict::kPodAffinity;
      // The first pod of a group with affinity to itself has no pod to join.
      if (counts.at(slot) == 0 && !first_of_its_kind_) return Verdict::kPodAffinity;
    }
    for (const DomainCounts& counts : anti_) {
      if (counts.has(slot) && counts.at(slot) > 0) return Verdict::kPodAntiAffinity;
    }
    for (const DomainCounts& counts : existing_anti_) {
      if (counts.has(slot) && counts.at(slot) > 0) return Verdict::kExistingAntiAffinity;
    }
    return Verdict::kFits;
  }

  const ClusterView& cluster_;
  const DemandView& demand_;
  std::vector<DomainCounts> affinity_;
  std::vector<DomainCounts> anti_;
  std::vector<DomainCounts> existing_anti_;
  std::vector<Spread> spread_;
  bool first_of_its_kind_ = true;
};

// Smaller is better; the first difference decides.
struct Rank {
  int soft_taints = 0;
  std::int64_t dislike = 0;
  std::int64_t crowding = 0;
  std::int64_t peers_in_zone = 0;
  std::int64_t peers_on_node = 0;
  std::int64_t pods = 0;

  friend auto operator<=>(const Rank&, const Rank&) = default;
};

class Ranking {
 public:
  Ranking(const ClusterView& cluster, const DemandView& demand)
      : cluster_(cluster), demand_(demand) {
    for (const TermView* term : demand.preferred_pods) {
      preferred_.push_back(sum_up(cluster, term->what->topology_key, term->selected));
    }
    for (std::size_t i = 0; i < demand.spread.size(); ++i) {
      if (demand.what->spread[i].required) continue;
      const TermView& term = *demand.spread[i];
      wished_.push_back(sum_up(cluster, term.what->topology_key, term.selected));
    }
    if (demand.peers != nullptr) zones_ = sum_up(cluster, kZone, demand.peers->active);
  }

  [[nodiscard]] Rank rank(Slot slot) const {
    const StaticFit& fit = cluster_.fit(demand_, slot);
    Rank rank{.soft_taints = fit.soft_taints, .dislike = -fit.preference};
    for (std::size_t i = 0; i < preferred_.size(); ++i) {
      if (!preferred_[i].has(slot)) continue;
      rank.dislike -= demand_.what->preferred_pods[i].weight * preferred_[i].at(slot);
    }
    for (const DomainCounts& counts : wished_) {
      rank.crowding += counts.has(slot) ? counts.at(slot) : kVeryMany / 1024;
    }
    if (demand_.peers != nullptr) {
      if (zones_.has(slot)) rank.peers_in_zone = zones_.at(slot);
      rank.peers_on_node = demand_.peers->active.at(slot);
    }
    rank.pods = cluster_.nodes()[slot].used.pods;
    return rank;
  }

 private:
  const ClusterView& cluster_;
  const DemandView& demand_;
  std::vector<DomainCounts> preferred_;
  std::vector<DomainCounts> wished_;
  DomainCounts zones_;
};

std::string_view words(Verdict verdict) {
  switch (verdict) {
    case Verdict::kUnschedulable:
      return "node(s) were unschedulable";
    case Verdict::kNodeAffinity:
      return "node(s) didn't match Pod's node affinity/selector";
    case Verdict::kSpreadLabel:
      return "node(s) didn't match pod topology spread constraints (missing required label)";
    case Verdict::kSpread:
      return "node(s) didn't match pod topology spread constraints";
    case Verdict::kPodAffinity:
      return "node(s) didn't match pod affinity rules";
    case Verdict::kPodAntiAffinity:
      return "node(s) didn't match pod anti-affinity rules";
    case Verdict::kExistingAntiAffinity:
      return "node(s) didn't satisfy existing pods anti-affinity rules";
    case Verdict::kFits:
    case Verdict::kTaint:
    case Verdict::kResources:
      break;
  }
  return "";
}

std::string taint_words(const PodDemand& demand, const NodeView& node) {
  for (const Taint& taint : node.taints) {
    if (taint.effect != "PreferNoSchedule" && !tolerated(taint, demand.tolerations)) {
      return fmt::format("node(s) had untolerated taint {}", describe(taint));
    }
  }
  return "node(s) had untolerated taint";
}

// One node can lack several resources.
std::vector<std::string> lacking(const PodDemand& demand, const NodeView& node) {
  std::vector<std::string> reasons;
  if (node.used.pods + 1 > node.allocatable.pods) reasons.emplace_back("Too many pods");
  const auto check = [&](std::string_view name, std::int64_t wanted, std::int64_t used,
                         std::int64_t all) {
    if (wanted > 0 && used + wanted > all) reasons.push_back(fmt::format("Insufficient {}", name));
  };
  check("cpu", demand.cpu_milli, node.used.cpu_milli, node.allocatable.cpu_milli);
  check("memory", demand.memory_bytes, node.used.memory_bytes, node.allocatable.memory_bytes);
  for (const auto& wanted : demand.other_resources) {
    check(wanted.first, wanted.second, node.used.other(wanted.first),
          node.allocatable.other(wanted.first));
  }
  return reasons;
}

}  // namespace

std::optional<Slot> choose_node(const ClusterView& cluster, const DemandView& demand) {
  const PlacementContext context(cluster, demand);
  const Ranking ranking(cluster, demand);
  const std::vector<NodeView>& nodes = cluster.nodes();
  std::optional<Slot> best;
  Rank best_rank;
  for (Slot slot = 0; slot < nodes.size(); ++slot) {
    if (!nodes[slot].exists || context.judge(slot) != Verdict::kFits) continue;
    const Rank rank = ranking.rank(slot);
    const bool better = !best.has_value() || rank < best_rank ||
                        (rank == best_rank && nodes[slot].name < nodes[*best].name);
    if (!better) continue;
    best = slot;
    best_rank = rank;
  }
  return best;
}

std::string explain(const ClusterView& cluster, const DemandView& demand) {
  if (cluster.node_count() == 0) return "no nodes available to schedule pods";
  const PlacementContext context(cluster, demand);
  std::map<std::string, std::size_t> reasons;
  for (Slot slot = 0; slot < cluster.nodes().size(); ++slot) {
    const NodeView& node = cluster.nodes()[slot];
    if (!node.exists) continue;
    const Verdict verdict = context.judge(slot);
    if (verdict == Verdict::kTaint) {
      ++reasons[taint_words(*demand.what, node)];
    } else if (verdict == Verdict::kResources) {
      for (const std::string& reason : lacking(*demand.what, node)) ++reasons[reason];
    } else {
      ++reasons[std::string(words(verdict))];
    }
  }
  // Kubernetes sorts the finished phrases, including their numbers.
  std::vector<std::string> phrases;
  for (const auto& [reason, count] : reasons)
    phrases.push_back(fmt::format("{} {}", count, reason));
  std::sort(phrases.begin(), phrases.end());
  return fmt::format("0/{} nodes are available: {}.", cluster.node_count(),
                     fmt::join(phrases, ", "));
}

}  // namespace ebb::hollow
