// The newest revisions of a ReplicaSet's own writes. An older cache must not be acted on: it does
// not show what was already done.
#pragma once

#include <algorithm>
#include <optional>

#include "control/cache/store.h"
#include "model/api/api.h"

namespace ebb::control {

class WrittenRevisions {
 public:
  // Revision 0 (not a number) cannot be compared, and blocks nothing.
  void wrote_pod(model::Revision revision) { pods_ = std::max(pods_, revision); }
  void wrote_set(model::Revision revision) { sets_ = std::max(sets_, revision); }

  // The resource whose cache is behind, if any. Revisions that the cache has reached are forgotten.
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
