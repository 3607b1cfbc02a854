// How a Deployment divides its replicas among its ReplicaSets when it is scaled.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/workload.h"

namespace ebb::control {

struct Split {
  enum class How {
    kWhole,         // one ReplicaSet is meant, and it gets everything
    kSaturated,     // the new ReplicaSet has all it needs; the others go to zero
    kProportional,  // each keeps its share
    kRecreate,      // a Recreate rollout is under way; nothing is scaled before it is done
    kDeleting,      // the Deployment is being deleted; nothing is scaled any more
  };
  struct Share {
    const model::ReplicaSet* set;
    std::int32_t replicas;
  };

  How how = How::kWhole;
  std::vector<Share> shares;  // the largest ReplicaSet first; empty if there are none
  std::int64_t allowed = 0;   // if proportional: replicas and surge, which are shared
};

// What setting `replicas` on the Deployment does to its ReplicaSets. `sets` are
// those it controls. Until templates are compared, the new ReplicaSet is known by its
// revision, which equals the Deployment's as soon as a rollout has begun.
[[nodiscard]] Split split_replicas(const model::Deployment& deployment,
                                   std::span<const model::ReplicaSet* const> sets,
                                   std::int32_t replicas);

}  // namespace ebb::control
