#include "plan/snapshot_cluster_reader.h"

namespace ebb::plan {

SnapshotClusterReader::SnapshotClusterReader(const model::Snapshot& snapshot) {
  for (const model::Node& node : snapshot.nodes) nodes_.emplace(node.name, &node);
  for (const model::Pod& pod : snapshot.pods) {
    if (!pod.active()) continue;
    by_namespace_[pod.namespace_name.view()].push_back(&pod);
    const bool of_daemon_set =
        pod.controller != nullptr && pod.controller->kind.view() == "DaemonSet";
    if (!pod.node.empty() && !of_daemon_set) ++pods_on_[pod.node];
  }
}

const model::Node* SnapshotClusterReader::node(model::Interned name) const {
  const auto found = nodes_.find(name);
  return found == nodes_.end() ? nullptr : found->second;
}

std::size_t SnapshotClusterReader::pods_on(model::Interned node) const {
  const auto found = pods_on_.find(node);
  return found == pods_on_.end() ? 0 : found->second;
}

void SnapshotClusterReader::each_pod_in(std::string_view namespace_name,
                                        const std::function<void(const model::Pod&)>& visit) const {
  const auto found = by_namespace_.find(namespace_name);
  if (found == by_namespace_.end()) return;
  for (const model::Pod* pod : found->second) visit(*pod);
}

}  // namespace ebb::plan
