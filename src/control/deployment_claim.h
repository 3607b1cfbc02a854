// Which ReplicaSets a Deployment calls its own.
#pragma once

#include <string>
#include <vector>

#include "control/store.h"

namespace ebb::control::deployments {

struct SetClaim {
  struct Patch {
    std::string name;
    std::string uid;
    bool adopts = false;  // otherwise releases
  };

  std::vector<const ReplicaSet*> kept;
  std::vector<Patch> patches;
};

// Those it controls that its selector means are kept, orphans that it means are to be adopted,
// those that it does not mean any more to be released. A Deployment that is being deleted does
// neither.
[[nodiscard]] SetClaim claim_sets(const Store& store, const Deployment& deployment);

// Whether the selector means an object with these labels.
[[nodiscard]] bool selects(const Deployment& deployment, const ReplicaSet& set);

}  // namespace ebb::control::deployments
