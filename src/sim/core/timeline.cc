#include "sim/core/timeline.h"

#include <algorithm>

namespace ebb::sim {

void Timeline::at(Timestamp when, Action action) {
  actions_.emplace(std::pair(std::max(when, now_), sequence_++), std::move(action));
}

bool Timeline::step(Timestamp end) {
  const auto first = actions_.begin();
  if (first == actions_.end() || first->first.first > end) {
    now_ = std::max(now_, end);
    return false;
  }
  now_ = first->first.first;
  const Action action = std::move(first->second);
  actions_.erase(first);
  action();
  return true;
}

}  // namespace ebb::sim
