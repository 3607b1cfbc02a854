// NodeLeaving: pods on nodes that are about to be removed go first, because they have to go soon
// anyway. The rank is the certainty of that:
//   4  the node is being removed: an autoscaler has started to (cluster-autoscaler's
//      ToBeDeletedByClusterAutoscaler, Karpenter's karpenter.sh/disrupted and, before its first
//      stable version, karpenter.sh/disruption), or it was declared out of service or shut down
//   3  it is NotReady or unreachable: its pods are evicted unless it comes back
//   2  it is cordoned: usually, a drain follows
//   1  cluster-autoscaler considers it (DeletionCandidateOfClusterAutoscaler), and may change
//      its mind
//   0  none of these, or the node is unknown
#include <algorithm>
#include <array>
#include <string_view>

#include "ranking/rank_by.h"

namespace ebb::ranking {
namespace {

enum Grade : std::int32_t { kStays = 0, kCandidate = 1, kCordoned = 2, kLost = 3, kGoes = 4 };

struct Sign {
  std::string_view taint;
  Grade grade = kStays;
};

constexpr std::array kSigns{
    Sign{"ToBeDeletedByClusterAutoscaler", kGoes},
    Sign{"karpenter.sh/disrupted", kGoes},
    Sign{"karpenter.sh/disruption", kGoes},
    Sign{"node.kubernetes.io/out-of-service", kGoes},
    Sign{"node.cloudprovider.kubernetes.io/shutdown", kGoes},
    Sign{"node.kubernetes.io/unreachable", kLost},
    Sign{"node.kubernetes.io/not-ready", kLost},
    Sign{"node.kubernetes.io/unschedulable", kCordoned},
    Sign{"DeletionCandidateOfClusterAutoscaler", kCandidate},
};

Grade grade_of(const model::Taint& taint) {
  const auto* const sign = std::find_if(kSigns.begin(), kSigns.end(), [&](const Sign& known) {
    return known.taint == taint.key.view();
  });
  return sign == kSigns.end() ? kStays : sign->grade;
}

Grade grade_of(const model::Node& node) {
  Grade grade = kStays;
  if (node.unschedulable) grade = kCordoned;
  if (!node.ready) grade = kLost;
  for (const model::Taint& taint : node.taints) grade = std::max(grade, grade_of(taint));
  return grade;
}

}  // namespace

Ranks rank_by_node_leaving(Pods pods, const Args& /*args*/, const ClusterReader& cluster) {
  Ranks ranks;
  ranks.reserve(pods.size());
  for (const model::Pod* pod : pods) {
    const model::Node* node = pod->node.empty() ? nullptr : cluster.node(pod->node);
    ranks.push_back(node == nullptr ? kStays : grade_of(*node));
  }
  return ranks;
}

}  // namespace ebb::ranking
