// Predicts how a Deployment divides its replicas among its ReplicaSets when it is scaled.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/records/workload.h"

namespace ebb::control {

struct Split {
  enum class How {
    kWhole,         // a single ReplicaSet gets everything
    kSaturated,     // the new ReplicaSet has all it needs; the others go to zero
    kProportional,  // each keeps its share
    kRecreate,      // a Recreate rollout is in progress; nothing is scaled before it completes
    kDeleting,      // the Deployment is being deleted; nothing is scaled any more
  };
  struct Share {
    const model::ReplicaSet* set;
    std::int32_t replicas;
  };

  How how = How::kWhole;
  std::vector<Share> shares;  // largest ReplicaSet first; empty if there are none
  std::int64_t allowed = 0;   // if proportional: replicas plus surge, which are shared
};

// The effect of setting `replicas` on a Deployment. `sets` are the ReplicaSets that it controls.
// Templates are not compared here: the new ReplicaSet is recognised by its revision, which equals
// the Deployment's once a rollout has begun.
[[nodiscard]] Split split_replicas(const model::Deployment& deployment,
                                   std::span<const model::ReplicaSet* const> sets,
                                   std::int32_t replicas);

}  // namespace ebb::control
