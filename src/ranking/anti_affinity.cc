// AntiAffinity: how much anti-affinity would improve without the pod.
//
// A pair is violated if one pod holds an anti-affinity term that matches another pod, and both are
// on nodes of one domain of the term's topology key. A violated pair is worth the term's weight if
// the term is preferred (1 to 100), and 1000 if it is required. The rank is the sum over all
// violated pairs that the pod is part of, on either side: exactly what its removal gains. A pod
// without violations has rank 0.
//
// The terms are those of the group and of other pods in its namespace. Pods of other namespaces
// count if a term of the group names their namespace; their own terms against the group are not
// known.
//
// The number of terms and pods is limited (limits.h).
//
// A removal resolves violations of other pods too, so ranks are valid for one removal only.
#include <algorithm>
#include <limits>
#include <utility>

#include "ranking/rank_by.h"
#include "ranking/violations.h"

namespace ebb::ranking {
namespace {

std::int32_t as_rank(std::int64_t sum) {
  return static_cast<std::int32_t>(
      std::min<std::int64_t>(sum, std::numeric_limits<std::int32_t>::max()));
}

class AffinityShrinking : public Shrinking {
 public:
  AffinityShrinking(Pods pods, const ClusterReader& cluster)
      : violations_(find_violations(pods, cluster)), sums_(pods.size(), 0) {
    for (const Spot& spot : violations_.spots) add(spot);
    ranks_.resize(pods.size());
    std::transform(sums_.begin(), sums_.end(), ranks_.begin(), as_rank);
  }

  // Each removal visits the pods that share a domain with it.
  [[nodiscard]] std::uint64_t steps_to_remove_all() const override {
    std::uint64_t steps = 0;
    for (const Spot& spot : violations_.spots) {
      steps += spot.members.size() * spot.members.size() / 2;
    }
    return steps;
  }

  [[nodiscard]] Effort& effort() { return violations_.effort; }

 private:
  void take_out(std::size_t pod) override {
    for (const Stake& gone : violations_.stakes[pod]) {
      Spot& spot = violations_.spots[gone.spot];
      std::erase_if(spot.members, [&](const Spot::Member& member) { return member.pod == pod; });
      for (const Spot::Member& member : spot.members) {
        if (member.holds && gone.meant) sums_[member.pod] -= spot.value;
        if (member.meant && gone.holds) sums_[member.pod] -= spot.value;
        change(member.pod, as_rank(sums_[member.pod]));
      }
    }
  }

  void add(const Spot& spot) {
    std::int64_t holders = spot.other_holders;
    std::int64_t meant = spot.others_meant;
    for (const Spot::Member& member : spot.members) {
      holders += member.holds ? 1 : 0;
      meant += member.meant ? 1 : 0;
    }
    for (const Spot::Member& member : spot.members) {
      // A pod does not violate its own term.
      const std::int64_t self = member.holds && member.meant ? 1 : 0;
      if (member.holds) sums_[member.pod] += spot.value * (meant - self);
      if (member.meant) sums_[member.pod] += spot.value * (holders - self);
    }
  }

  Violations violations_;
  std::vector<std::int64_t> sums_;
};

}  // namespace

Ranks rank_by_anti_affinity(Pods pods, const Args& args, const ClusterReader& cluster) {
  Effort unused;
  return rank_by_anti_affinity_within_limits(pods, args, cluster, unused);
}

Ranks rank_by_anti_affinity_within_limits(Pods pods, const Args& /*args*/,
                                          const ClusterReader& cluster, Effort& effort) {
  AffinityShrinking ranked(pods, cluster);
  effort = std::move(ranked.effort());
  return ranked.ranks();
}

ShrinkingPtr shrink_by_anti_affinity(Pods pods, const Args& /*args*/,
                                     const ClusterReader& cluster) {
  return std::make_unique<AffinityShrinking>(pods, cluster);
}

}  // namespace ebb::ranking
