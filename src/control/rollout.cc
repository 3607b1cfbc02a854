#include "control/rollout.h"

#include <algorithm>

namespace ebb::control {

bool is_rolling(const ReplicaSet& set, const Store& store) {
  if (set.controller == nullptr) return false;
  const auto siblings = store.replica_sets_of(set.controller->uid.view());
  return std::any_of(siblings.begin(), siblings.end(), [&](const ReplicaSet* sibling) {
    return sibling->uid != set.uid && (sibling->replicas > 0 || sibling->status_replicas > 0);
  });
}

}  // namespace ebb::control
