#include "hollow/demand.h"

#include <algorithm>

#include <fmt/format.h>

#include "schema/core/json.h"

namespace ebb::hollow {
namespace {

using boost::json::object;
using schema::array_at;
using schema::integer_at;
using schema::object_at;
using schema::text_at;
using Operator = LabelRequirement::Operator;

// Calls `read` with each entry of a list that is an object.
template <class Read>
void each_entry(const boost::json::array* entries, const Read& read) {
  if (entries == nullptr) return;
  for (const boost::json::value& entry : *entries) {
    if (entry.is_object()) read(entry.get_object());
  }
}

// matchLabelKeys: selects pods with the same values as this one.
void add_label_keys(LabelSelector& selector, const object& parent, std::string_view field,
                    const Labels& labels, Operator op) {
  const boost::json::array* keys = array_at(parent, {field});
  if (keys == nullptr || selector.selects_nothing) return;
  for (const boost::json::value& key : *keys) {
    if (!key.is_string()) continue;
    const auto own = labels.find(std::string_view(key.get_string()));
    if (own == labels.end()) continue;
    selector.requirements.push_back({.key = own->first, .op = op, .values = {own->second}});
  }
}

// A namespaceSelector with requirements would need the labels of namespaces. Such a term counts
// pods in the namespaces that it lists, or else in the pod's own.
std::vector<std::string> read_namespaces(const object& term, const std::string& own) {
  const object* by_label = object_at(term, {"namespaceSelector"});
  if (by_label != nullptr && by_label->empty()) return {};
  std::vector<std::string> namespaces;
  if (const auto* named = array_at(term, {"namespaces"}); named != nullptr) {
    for (const boost::json::value& each : *named) {
      if (each.is_string()) namespaces.emplace_back(each.get_string());
    }
  }
  if (namespaces.empty()) namespaces.push_back(own);
  std::sort(namespaces.begin(), namespaces.end());
  return namespaces;
}

PodTerm read_pod_term(const object& term, const PodDemand& demand) {
  PodTerm result;
  result.namespaces = read_namespaces(term, demand.namespace_name);
  result.selector = read_label_selector(term, "labelSelector");
  add_label_keys(result.selector, term, "matchLabelKeys", demand.labels, Operator::kIn);
  add_label_keys(result.selector, term, "mismatchLabelKeys", demand.labels, Operator::kNotIn);
  result.topology_key = text_at(term, {"topologyKey"});
  return result;
}

NodeTerm read_node_term(const object& term) {
  return {.labels = read_requirements(term, "matchExpressions"),
          .fields = read_requirements(term, "matchFields")};
}

void read_pod_affinity(PodDemand& demand, const object& affinity, std::string_view kind,
                       std::vector<PodTerm>& required, int sign) {
  const object* rules = object_at(affinity, {kind});
  if (rules == nullptr) return;
  each_entry(array_at(*rules, {"requiredDuringSchedulingIgnoredDuringExecution"}),
             [&](const object& term) { required.push_back(read_pod_term(term, demand)); });
  each_entry(
      array_at(*rules, {"preferredDuringSchedulingIgnoredDuringExecution"}),
      [&](const object& entry) {
        const object* term = object_at(entry, {"podAffinityTerm"});
        if (term == nullptr) return;
        demand.preferred_pods.push_back({.weight = sign * integer_at(entry, {"weight"}).value_or(0),
                                         .term = read_pod_term(*term, demand)});
      });
}

void read_affinity(PodDemand& demand, const object& affinity) {
  if (const object* nodes = object_at(affinity, {"nodeAffinity"}); nodes != nullptr) {
    const object* required = object_at(*nodes, {"requiredDuringSchedulingIgnoredDuringExecution"});
    if (required != nullptr) {
      demand.has_node_terms = true;
      each_entry(array_at(*required, {"nodeSelectorTerms"}),
                 [&](const object& term) { demand.node_terms.push_back(read_node_term(term)); });
    }
    each_entry(
        array_at(*nodes, {"preferredDuringSchedulingIgnoredDuringExecution"}),
        [&](const object& entry) {
          const object* term = object_at(entry, {"preference"});
          if (term == nullptr) return;
          demand.preferred_nodes.push_back(
              {.weight = integer_at(entry, {"weight"}).value_or(0), .term = read_node_term(*term)});
        });
  }
  read_pod_affinity(demand, affinity, "podAffinity", demand.affinity, 1);
  read_pod_affinity(demand, affinity, "podAntiAffinity", demand.anti_affinity, -1);
}

SpreadConstraint read_spread(const object& constraint, const PodDemand& demand) {
  SpreadConstraint result;
  result.term.namespaces = {demand.namespace_name};
  result.term.selector = read_label_selector(constraint, "labelSelector");
  add_label_keys(result.term.selector, constraint, "matchLabelKeys", demand.labels, Operator::kIn);
  result.term.topology_key = text_at(constraint, {"topologyKey"});
  result.term.counts_terminating = false;
  result.max_skew = integer_at(constraint, {"maxSkew"}).value_or(1);
  result.min_domains = integer_at(constraint, {"minDomains"}).value_or(1);
  result.required = text_at(constraint, {"whenUnsatisfiable"}) != "ScheduleAnyway";
  result.honours_affinity = text_at(constraint, {"nodeAffinityPolicy"}) != "Ignore";
  result.honours_taints = text_at(constraint, {"nodeTaintsPolicy"}) == "Honor";
  return result;
}

// API servers do not validate owner references, so the uid alone could match another workload.
std::string controller_of(const object& pod) {
  std::string controller;
  each_entry(array_at(pod, {"metadata", "ownerReferences"}), [&](const object& owner) {
    if (!schema::is_true_at(owner, {"controller"})) return;
    controller =
        fmt::format("{}/{}/{}/{}", text_at(pod, {"metadata", "namespace"}),
                    text_at(owner, {"kind"}), text_at(owner, {"name"}), text_at(owner, {"uid"}));
  });
  return controller;
}

}  // namespace

bool PodTerm::selects(const std::string& namespace_name, const Labels& labels) const {
  return (namespaces.empty() ||
          std::binary_search(namespaces.begin(), namespaces.end(), namespace_name)) &&
         selector.selects(labels);
}

bool NodeTerm::selects(const std::string& node_name, const Labels& node_labels) const {
  // An empty term matches nothing.
  if (labels.empty() && fields.empty()) return false;
  return all_met(labels, node_labels) &&
         std::all_of(fields.begin(), fields.end(), [&](const LabelRequirement& each) {
           return each.met_by(each.key == "metadata.name" ? &node_name : nullptr);
         });
}

PodDemand read_demand(const object& pod) {
  PodDemand demand;
  demand.namespace_name = text_at(pod, {"metadata", "namespace"});
  demand.labels = read_labels(object_at(pod, {"metadata", "labels"}));
  demand.controller = controller_of(pod);
  Resources requests = read_requests(pod);
  demand.cpu_milli = requests.cpu_milli;
  demand.memory_bytes = requests.memory_bytes;
  demand.other_resources = std::move(requests.others);
  demand.node_selector = read_labels(object_at(pod, {"spec", "nodeSelector"}));
  demand.tolerations = read_tolerations(pod);
  if (const object* affinity = object_at(pod, {"spec", "affinity"}); affinity != nullptr) {
    read_affinity(demand, *affinity);
  }
  each_entry(array_at(pod, {"spec", "topologySpreadConstraints"}), [&](const object& constraint) {
    demand.spread.push_back(read_spread(constraint, demand));
  });
  return demand;
}

}  // namespace ebb::hollow
