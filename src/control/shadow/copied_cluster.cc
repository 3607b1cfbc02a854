#include "control/shadow/copied_cluster.h"

#include "control/cache/pool_compaction.h"

namespace ebb::control::shadow {
namespace {

// As the ranker counts (rank_cluster_reader.cc).
bool is_counted(const model::Pod& pod) {
  return pod.active() && !pod.node.empty() &&
         (pod.controller == nullptr || pod.controller->kind.view() != "DaemonSet");
}

}  // namespace

const model::Node* CopiedCluster::node(model::Interned name) const {
  auto found = nodes_.find(name.view());
  if (found == nodes_.end()) {
    std::optional<model::Node> copy;
    if (const Node* node = store_.node(name.view())) {
      copy = *node;
      PoolCompaction(down_.pool()).move(*copy);
    }
    ++work_;
    found = nodes_.emplace(std::string(name.view()), std::move(copy)).first;
  }
  return found->second ? &*found->second : nullptr;
}

std::size_t CopiedCluster::pods_on(model::Interned node) const {
  if (!pods_on_) {
    auto& counts = pods_on_.emplace();
    store_.each_pod([&](const Pod& pod) {
      ++work_;
      if (!is_counted(pod)) return;
      auto found = counts.find(pod.node.view());
      if (found == counts.end()) found = counts.emplace(std::string(pod.node.view()), 0).first;
      ++found->second;
    });
    for (const auto* candidate : down_.candidates()) {
      if (candidate->left && is_counted(candidate->pod)) {
        ++counts[std::string(candidate->pod.node.view())];
      }
    }
  }
  const auto found = pods_on_->find(node.view());
  return found == pods_on_->end() ? 0 : found->second;
}

void CopiedCluster::each_pod_in(std::string_view namespace_name,
                                const std::function<void(const model::Pod&)>& visit) const {
  auto found = pods_.find(namespace_name);
  if (found == pods_.end()) {
    found = pods_.try_emplace(std::string(namespace_name)).first;
    std::deque<model::Pod>& copies = found->second;
    PoolCompaction copying(down_.pool());
    store_.each_pod_in(namespace_name, [&](const Pod& pod) {
      ++work_;
      if (!pod.active()) return;
      copying.move(copies.emplace_back(pod));
    });
    if (namespace_name == down_.set().namespace_name.view()) {
      for (const auto* candidate : down_.candidates()) {
        if (candidate->left) copies.push_back(candidate->pod);
      }
    }
  }
  for (const model::Pod& pod : found->second) visit(pod);
}

}  // namespace ebb::control::shadow
