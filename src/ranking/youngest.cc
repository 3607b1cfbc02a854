// Youngest: the youngest pod has the highest rank, the oldest rank 1 (age_places.h).
#include "ranking/age_places.h"
#include "ranking/rank_by.h"

namespace ebb::ranking {

Ranks rank_by_youngest(Pods pods, const Args& /*args*/, const ClusterReader& /*around*/) {
  return AgePlaces(pods, FirstToGo::kYoungest).ranks();
}

ShrinkingPtr shrink_by_youngest(Pods pods, const Args& /*args*/, const ClusterReader& /*around*/) {
  return std::make_unique<AgePlaces>(pods, FirstToGo::kYoungest);
}

}  // namespace ebb::ranking
