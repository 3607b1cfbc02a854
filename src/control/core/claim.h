// Determines which pods a ReplicaSet owns, adopts and releases.
#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/records/pod.h"
#include "model/records/workload.h"

namespace ebb::control {

struct Claim {
  struct Ignored {
    const model::Pod* pod;
    std::string_view because;
  };

  std::vector<const model::Pod*> active;    // owned, or orphans that will be adopted
  std::vector<const model::Pod*> adopted;   // the orphans among them
  std::vector<const model::Pod*> released;  // owned until now, but no longer selected
  std::vector<Ignored> ignored;             // owned, but not counted; includes the released ones
};

// Owned pods that match the selector are kept; active orphans that match are adopted; owned pods
// that no longer match are released. A ReplicaSet that is being deleted neither adopts nor
// releases.
[[nodiscard]] Claim claim_pods(const model::ReplicaSet& set,
                               std::span<const model::Pod* const> pods);

// As many pods as are created or deleted at once.
inline constexpr std::size_t kMaxPatches = 500;

// The pods to adopt and to release next, by name: at most kMaxPatches, and none of `tried` (uids).
struct ClaimPatches {
  std::vector<const model::Pod*> adopted{};
  std::vector<const model::Pod*> released{};

  [[nodiscard]] std::size_t size() const { return adopted.size() + released.size(); }
};
[[nodiscard]] ClaimPatches next_patches(const Claim& claim, bool may_adopt,
                                        const std::set<std::string, std::less<>>& tried);

}  // namespace ebb::control
