// Claims the ReplicaSets of a Deployment.
#pragma once  // private to its room

#include <string>
#include <vector>

#include "control/cache/store.h"
#include "control/core/claim.h"

namespace ebb::control::deployments {

struct SetClaim {
  struct Patch {
    std::string name;
    std::string uid;
    bool adopts = false;  // otherwise releases
  };

  std::vector<const ReplicaSet*> kept;
  std::vector<Patch> patches;  // at most kMaxPatches; a later claim has the rest
  std::size_t examined = 0;    // the number of ReplicaSets in the namespace
};

// Controlled ReplicaSets that the selector matches are kept, matching orphans are adopted, and
// controlled ones that no longer match are released. A Deployment that is being deleted neither
// adopts nor releases.
[[nodiscard]] SetClaim claim_sets(const Store& store, const Deployment& deployment);

// Whether the selector matches an object with these labels.
[[nodiscard]] bool selects(const Deployment& deployment, const ReplicaSet& set);

}  // namespace ebb::control::deployments
