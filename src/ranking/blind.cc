#include "ranking/blind.h"

#include <algorithm>

#include <fmt/format.h>

#include "ranking/label_key.h"
#include "schema/core/json.h"

namespace ebb::ranking {
namespace {

// The node label that the strategy reads; empty: none.
std::string_view node_label(const Weighed& weighed) {
  if (!weighed.strategy->reads_nodes) return {};
  const std::string_view key = schema::text_at(weighed.args, {"topologyKey"});
  return key.empty() ? schema::text_at(weighed.args, {"label"}) : key;
}

}  // namespace

std::vector<std::string> find_blind_strategies(const Settings& settings, Pods pods,
                                               const ClusterReader& cluster) {
  std::vector<const model::Node*> nodes;
  for (const model::Pod* pod : pods) {
    const model::Node* const node = pod->node.empty() ? nullptr : cluster.node(pod->node);
    if (node != nullptr) nodes.push_back(node);
  }
  std::vector<std::string> sentences;
  if (nodes.empty()) return sentences;
  for (const Weighed& weighed : settings.strategies) {
    const std::string_view label = node_label(weighed);
    if (label.empty()) continue;
    LabelKey key(label);
    const bool blind = std::none_of(nodes.begin(), nodes.end(), [&](const model::Node* node) {
      return key.find(node) != nullptr;
    });
    if (!blind) continue;
    sentences.push_back(
        fmt::format("strategy {} ranks all pods equally: none of their nodes has the "
                    "label {}",
                    weighed.strategy->name, label));
  }
  return sentences;
}

}  // namespace ebb::ranking
