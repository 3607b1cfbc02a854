#include "ranking/age_places.h"

#include <algorithm>

#include "base/check.h"
#include "ranking/age_order.h"

namespace ebb::ranking {

AgePlaces::AgePlaces(Pods pods, FirstToGo first) : place_of_(pods.size()) {
  std::vector<std::size_t> order = oldest_first(pods);
  if (first == FirstToGo::kOldest) std::reverse(order.begin(), order.end());
  ranks_.resize(pods.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || pods[order[i]]->created != pods[order[i - 1]]->created) left_.push_back(0);
    ++left_.back();
    place_of_[order[i]] = left_.size() - 1;
    ranks_[order[i]] = static_cast<std::int32_t>(left_.size());
  }
}

void AgePlaces::take_out(std::size_t pod) {
  const std::size_t place = place_of_[pod];
  EBB_CHECK(left_[place] > 0);
  if (--left_[place] > 0) return;
  for (std::size_t other = 0; other < place_of_.size(); ++other) {
    if (place_of_[other] > place) change(other, ranks_[other] - 1);
  }
}

}  // namespace ebb::ranking
