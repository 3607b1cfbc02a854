// Which pods a ReplicaSet calls its own.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "model/pod.h"
#include "model/workload.h"

namespace ebb::control {

struct Claim {
  struct Ignored {
    const model::Pod* pod;
    std::string_view because;
  };

  std::vector<const model::Pod*> active;    // owned, or orphans that will be adopted
  std::vector<const model::Pod*> adopted;   // those of them that are orphans now
  std::vector<const model::Pod*> released;  // owned until now, but no longer selected
  std::vector<Ignored> ignored;             // owned, but not counted; the released among them
};

// Owned pods that match the selector are kept; active orphans that match are
// adopted; owned pods that do not match any more are released. A ReplicaSet that
// is being deleted neither adopts nor releases.
[[nodiscard]] Claim claim_pods(const model::ReplicaSet& set,
                               std::span<const model::Pod* const> pods);

}  // namespace ebb::control
