#include "control/cache/rollout.h"

#include <algorithm>

namespace ebb::control {

bool is_rolling(const ReplicaSet& set, const Store& store) {
  const auto siblings = store.siblings_of(set);
  return std::any_of(siblings.begin(), siblings.end(), [&](const ReplicaSet* sibling) {
    return sibling->uid != set.uid && (sibling->replicas > 0 || sibling->status_replicas > 0);
  });
}

}  // namespace ebb::control
