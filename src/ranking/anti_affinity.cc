// AntiAffinity: how much better off anti-affinity would be without the pod.
//
// A pair is violated where one pod holds an anti-affinity term that means another pod, and both are
// on nodes of one domain of the term's topology key. It is worth the term's weight if that is
// preferred (1 to 100), and 1000 if it is required. The rank is the sum of what all violated pairs
// are worth that the pod is part of, as the one or as the other: exactly what would be gained by
// its removal. A pod that is in nobody's way has rank 0.
//
// Terms are those of the group and of other pods in its namespace. Pods of other namespaces are
// seen where a term of the group names these; what they hold against the group is not known.
//
// Who goes takes violations off all it shared them with, so ranks hold for one removal only.
#include <algorithm>
#include <limits>

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
  AffinityShrinking(Pods pods, const Surroundings& around)
      : violations_(find_violations(pods, around)), sums_(pods.size(), 0) {
    for (const Spot& spot : violations_.spots) add(spot);
    ranks_.resize(pods.size());
    std::transform(sums_.begin(), sums_.end(), ranks_.begin(), as_rank);
  }

  void remove(std::size_t pod) override {
    for (const Stake& gone : violations_.stakes[pod]) {
      Spot& spot = violations_.spots[gone.spot];
      std::erase_if(spot.members, [&](const Spot::Member& member) { return member.pod == pod; });
      for (const Spot::Member& member : spot.members) {
        if (member.holds && gone.meant) sums_[member.pod] -= spot.value;
        if (member.meant && gone.holds) sums_[member.pod] -= spot.value;
        ranks_[member.pod] = as_rank(sums_[member.pod]);
      }
    }
  }

 private:
  void add(const Spot& spot) {
    std::int64_t holders = spot.other_holders;
    std::int64_t meant = spot.others_meant;
    for (const Spot::Member& member : spot.members) {
      holders += member.holds ? 1 : 0;
      meant += member.meant ? 1 : 0;
    }
    for (const Spot::Member& member : spot.members) {
      // Nobody is in its own way.
      const std::int64_t self = member.holds && member.meant ? 1 : 0;
      if (member.holds) sums_[member.pod] += spot.value * (meant - self);
      if (member.meant) sums_[member.pod] += spot.value * (holders - self);
    }
  }

  Violations violations_;
  std::vector<std::int64_t> sums_;
};

}  // namespace

Ranks rank_by_anti_affinity(Pods pods, const Args& /*args*/, const Surroundings& around) {
  return AffinityShrinking(pods, around).ranks();
}

ShrinkingPtr shrink_by_anti_affinity(Pods pods, const Args& /*args*/, const Surroundings& around) {
  return std::make_unique<AffinityShrinking>(pods, around);
}

}  // namespace ebb::ranking
