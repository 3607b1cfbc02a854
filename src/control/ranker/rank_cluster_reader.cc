#include "control/ranker/rank_cluster_reader.h"

#include <boost/functional/hash.hpp>

namespace ebb::control {
namespace {

bool is_counted(const Pod* pod) {
  return pod != nullptr && pod->active() && !pod->node.empty() &&
         (pod->controller == nullptr || pod->controller->kind.view() != "DaemonSet");
}

}  // namespace

void RankClusterReader::pod_changed(const Change<Pod>& change) {
  const Pod& pod = change.after != nullptr ? *change.after : *change.before;
  const std::string_view uid = pod.uid.view();
  const Fingerprint fingerprint = {std::hash<std::string_view>()(uid),
                                   boost::hash_range(uid.begin(), uid.end())};
  const auto known = counted_.find(fingerprint);
  const bool wanted = is_counted(change.after);
  if (known != counted_.end()) {
    if (wanted && counts_[known->second].name == pod.node.view()) return;
    uncount(fingerprint);
  }
  if (wanted) count(fingerprint, pod.node.view());
}

void RankClusterReader::count(const Fingerprint& pod, std::string_view node) {
  auto found = nodes_.find(node);
  if (found == nodes_.end()) {
    if (unused_.empty()) {
      unused_.push_back(static_cast<std::uint32_t>(counts_.size()));
      counts_.emplace_back();
    }
    found = nodes_.emplace(node, unused_.back()).first;
    unused_.pop_back();
    counts_[found->second].name = found->first;
  }
  ++counts_[found->second].pods;
  counted_.emplace(pod, found->second);
}

void RankClusterReader::uncount(const Fingerprint& pod) {
  const auto known = counted_.find(pod);
  const std::uint32_t place = known->second;
  counted_.erase(known);
  if (--counts_[place].pods > 0) return;
  nodes_.erase(nodes_.find(counts_[place].name));
  counts_[place] = {};
  unused_.push_back(place);
}

std::size_t RankClusterReader::pods_on(model::Interned node) const {
  const auto found = nodes_.find(node.view());
  return found == nodes_.end() ? 0 : counts_[found->second].pods;
}

void RankClusterReader::each_pod_in(std::string_view namespace_name,
                                    const std::function<void(const model::Pod&)>& visit) const {
  store_.each_pod_in(namespace_name, [&](const Pod& pod) {
    if (pod.active()) visit(pod);
  });
}

}  // namespace ebb::control
