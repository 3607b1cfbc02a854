// The scheduling demand of a pod: its requirements for a node. All pods of a template have the same
// demand, so much of it is computed once for all of them.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "hollow/requirement.h"
#include "hollow/resources.h"
#include "hollow/taints.h"

namespace ebb::hollow {

// A selection of pods, counted by domain (zone, node) of a topology.
struct PodTerm {
  std::vector<std::string> namespaces{};  // sorted; empty: all of them
  LabelSelector selector{};
  std::string topology_key{};
  bool counts_terminating = true;

  [[nodiscard]] bool selects(const std::string& namespace_name, const Labels& labels) const;
  friend auto operator<=>(const PodTerm&, const PodTerm&) = default;
};

struct SpreadConstraint {
  PodTerm term{};
  std::int64_t max_skew = 1;
  std::int64_t min_domains = 1;
  bool required = true;          // DoNotSchedule
  bool honours_affinity = true;  // count only nodes that match the pod's node affinity
  bool honours_taints = false;   // count only nodes whose taints the pod tolerates

  friend auto operator<=>(const SpreadConstraint&, const SpreadConstraint&) = default;
};

// A node matches if it meets all requirements.
struct NodeTerm {
  std::vector<LabelRequirement> labels{};
  std::vector<LabelRequirement> fields{};  // metadata.name only

  [[nodiscard]] bool selects(const std::string& node_name, const Labels& node_labels) const;
  friend auto operator<=>(const NodeTerm&, const NodeTerm&) = default;
};

template <class Term>
struct Preference {
  std::int64_t weight = 0;  // negative: avoid
  Term term{};

  friend auto operator<=>(const Preference&, const Preference&) = default;
};

struct PodDemand {
  std::string namespace_name{};
  Labels labels{};
  std::string controller{};  // namespace, kind, name and uid of it; empty: it has none

  std::int64_t cpu_milli = 0;
  std::int64_t memory_bytes = 0;
  std::vector<std::pair<std::string, std::int64_t>> other_resources{};

  Labels node_selector{};
  bool has_node_terms = false;
  std::vector<NodeTerm> node_terms{};  // one of them must match
  std::vector<Toleration> tolerations{};
  std::vector<PodTerm> affinity{};
  std::vector<PodTerm> anti_affinity{};
  std::vector<SpreadConstraint> spread{};
  std::vector<Preference<NodeTerm>> preferred_nodes{};
  std::vector<Preference<PodTerm>> preferred_pods{};

  [[nodiscard]] Resources requests() const { return {cpu_milli, memory_bytes, 1, other_resources}; }
  friend auto operator<=>(const PodDemand&, const PodDemand&) = default;
};

[[nodiscard]] PodDemand read_demand(const boost::json::object& pod);

}  // namespace ebb::hollow
