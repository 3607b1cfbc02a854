// Pack: pods on the least filled nodes go first, so that nodes become empty and an autoscaler can
// remove them. The rank is 1000 minus the number of pods on the node, not counting DaemonSets
// (these stay anyway), and 0 from 1000 pods on. Counting down from a fixed number keeps a rank
// stable as long as its own node does not change. A pod without a node has rank 0.
//
// Removing a pod raises the ranks of its neighbours, so with `exact` a node is emptied before the
// next one is started.
#include <algorithm>

#include <boost/unordered/unordered_flat_map.hpp>

#include "ranking/rank_by.h"

namespace ebb::ranking {
namespace {

constexpr std::size_t kMaxPods = 1'000;

std::int32_t rank_of(std::size_t pods_on_node) {
  return static_cast<std::int32_t>(kMaxPods - std::min(pods_on_node, kMaxPods));
}

class PackShrinking : public Shrinking {
 public:
  PackShrinking(Pods pods, const ClusterReader& cluster) : pods_(pods.begin(), pods.end()) {
    ranks_.resize(pods.size(), 0);
    for (std::size_t i = 0; i < pods.size(); ++i) {
      if (pods[i]->node.empty()) continue;
      const auto [fill, is_new] = nodes_.try_emplace(pods[i]->node);
      if (is_new) fill->second.pods = cluster.pods_on(pods[i]->node);
      fill->second.members.push_back(i);
      ranks_[i] = rank_of(fill->second.pods);
    }
  }

 private:
  void take_out(std::size_t pod) override {
    const auto fill = nodes_.find(pods_[pod]->node);
    if (fill == nodes_.end()) return;
    if (fill->second.pods > 0) --fill->second.pods;
    for (const std::size_t member : fill->second.members)
      change(member, rank_of(fill->second.pods));
  }

  struct Fill {
    std::size_t pods = 0;                // of all workloads
    std::vector<std::size_t> members{};  // of the group
  };
  std::vector<const model::Pod*> pods_;
  boost::unordered_flat_map<model::Interned, Fill> nodes_;
};

}  // namespace

Ranks rank_by_pack(Pods pods, const Args& /*args*/, const ClusterReader& cluster) {
  Ranks ranks(pods.size());
  std::transform(pods.begin(), pods.end(), ranks.begin(), [&](const model::Pod* pod) {
    return pod->node.empty() ? 0 : rank_of(cluster.pods_on(pod->node));
  });
  return ranks;
}

ShrinkingPtr shrink_by_pack(Pods pods, const Args& /*args*/, const ClusterReader& cluster) {
  return std::make_unique<PackShrinking>(pods, cluster);
}

}  // namespace ebb::ranking
