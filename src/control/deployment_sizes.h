// What sizes a Deployment gives its ReplicaSets: on its way to a new template, on its way to
// another size, and all at once.
#pragma once

#include <cstdint>
#include <vector>

#include "control/deployment_view.h"

namespace ebb::control::deployments {

struct Resize {
  const SetView* set = nullptr;
  std::int64_t to = 0;
};

// How large the new ReplicaSet should be by itself, whether it is there (with so many replicas)
// or not yet (with none).
[[nodiscard]] std::int64_t new_set_size(const Snapshot& snapshot, std::int64_t current);

// One step of a rolling update: the new ReplicaSet grows as far as the surge allows; if it cannot,
// old ones shrink as far as availability allows, unhealthy pods first, oldest ReplicaSets first.
[[nodiscard]] std::vector<Resize> rolling_update_step(const Snapshot& snapshot,
                                                      const SetView& fresh);

// Recreate: first everything old goes. Only when none of its pods is left does the new
// ReplicaSet come, at full size.
[[nodiscard]] std::vector<Resize> scale_down_all_old(const Snapshot& snapshot,
                                                     const SetView* fresh);
[[nodiscard]] bool old_pods_are_left(const Snapshot& snapshot, const SetView* fresh);

// Whether a ReplicaSet was last scaled for another number of replicas than the Deployment wants.
[[nodiscard]] bool is_scaling(const Snapshot& snapshot);
// A change of size without a rollout, or in the middle of one. ReplicaSets that keep their size
// are named where they must learn what they were scaled for.
[[nodiscard]] std::vector<Resize> scaling_step(const Snapshot& snapshot, const SetView* fresh);

}  // namespace ebb::control::deployments
