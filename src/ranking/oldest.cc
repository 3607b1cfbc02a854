// Oldest: the oldest pod has the highest rank, the youngest rank 1 (age_places.h).
#include "ranking/age_places.h"
#include "ranking/rank_by.h"

namespace ebb::ranking {

Ranks rank_by_oldest(Pods pods, const Args& /*args*/, const ClusterReader& /*around*/) {
  return AgePlaces(pods, FirstToGo::kOldest).ranks();
}

ShrinkingPtr shrink_by_oldest(Pods pods, const Args& /*args*/, const ClusterReader& /*around*/) {
  return std::make_unique<AgePlaces>(pods, FirstToGo::kOldest);
}

}  // namespace ebb::ranking
