// The newest revisions of a ReplicaSet's own writes. A cache that is older than they are must
// not be acted upon: it does not show what was done already.
#pragma once

#include <algorithm>
#include <optional>

#include "control/store.h"
#include "model/api.h"

namespace ebb::control {

class WrittenRevisions {
 public:
  // A revision that is no number (0) cannot be compared, and blocks nothing.
  void wrote_pod(model::Revision revision) { pods_ = std::max(pods_, revision); }
  void wrote_set(model::Revision revision) { sets_ = std::max(sets_, revision); }

  // Whose cache is behind, if any is. What it has caught up with is forgotten.
  [[nodiscard]] std::optional<Resource> behind(const Store& store) {
    if (is_behind(store.seen(Resource::kPods), pods_)) return Resource::kPods;
    if (is_behind(store.seen(Resource::kReplicaSets), sets_)) return Resource::kReplicaSets;
    return std::nullopt;
  }

 private:
  static bool is_behind(model::Revision seen, model::Revision& written) {
    if (seen != 0 && seen < written) return true;
    written = 0;
    return false;
  }

  model::Revision pods_ = 0;
  model::Revision sets_ = 0;
};

}  // namespace ebb::control
