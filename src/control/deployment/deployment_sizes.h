// The sizes that a Deployment gives its ReplicaSets: during a rollout, when it is scaled, and when
// it is recreated.
#pragma once  // private to its room

#include <cstdint>
#include <vector>

#include "control/deployment/deployment_view.h"

namespace ebb::control::deployments {

struct Resize {
  const SetView* set = nullptr;
  std::int64_t to = 0;
};

// The size of the new ReplicaSet, whether it exists (with its current replicas) or not yet (with
// none).
[[nodiscard]] std::int64_t new_set_size(const Snapshot& snapshot, std::int64_t current);

// One step of a rolling update: the new ReplicaSet grows as far as the surge allows; if it cannot,
// old ones shrink as far as availability allows, unhealthy pods first, oldest ReplicaSets first.
[[nodiscard]] std::vector<Resize> rolling_update_step(const Snapshot& snapshot,
                                                      const SetView& fresh);

// Recreate: first all old ReplicaSets go to zero. The new one is created at full size only when
// none of their pods are left.
[[nodiscard]] std::vector<Resize> scale_down_all_old(const Snapshot& snapshot,
                                                     const SetView* fresh);
[[nodiscard]] bool old_pods_are_left(const Snapshot& snapshot, const SetView* fresh);

// Whether a ReplicaSet was last scaled for a different number of replicas than the Deployment
// wants.
[[nodiscard]] bool is_scaling(const Snapshot& snapshot);
// A change of size, with or without a rollout in progress. Includes ReplicaSets that keep their
// size if their annotations must change.
[[nodiscard]] std::vector<Resize> scaling_step(const Snapshot& snapshot, const SetView* fresh);

}  // namespace ebb::control::deployments
