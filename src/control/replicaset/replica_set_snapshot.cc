#include "control/replicaset/replica_set_snapshot.h"

#include <algorithm>

#include "model/records/ownership.h"
#include "model/records/selector_memo.h"

namespace ebb::control::replicasets {

Snapshot take_snapshot(const ReplicaSet& set, std::span<const Pod* const> pods,
                       const Uids& adopted) {
  Snapshot snapshot{.set = &set, .claim = claim_pods(set, pods)};
  if (!snapshot.claim.adopted.empty()) {
    // Orphans that appeared meanwhile are left to the next sync.
    std::erase_if(snapshot.claim.active, [&](const Pod* pod) {
      return pod->controller == nullptr && !adopted.contains(pod->uid.view());
    });
  }
  return snapshot;
}

bool still_claims(const ReplicaSet& set, const Pod* pod, const PendingCall& pending,
                  const Uids& adopted) {
  if (pod == nullptr || pod->uid.view() != pending.pod_uid || !pod->active()) return false;
  const bool orphan = pod->controller == nullptr;
  if (!orphan && !model::controls(set, *pod)) return false;
  const bool matches = pod->labels != nullptr && set.selector.matches(*pod->labels);
  switch (pending.what) {
    case PendingCall::What::kAdopt:
      return orphan && matches && !set.deleting;
    case PendingCall::What::kRelease:
      return !orphan && !matches && !set.deleting;
    default:
      return matches && (!orphan || adopted.contains(pod->uid.view()));
  }
}

std::size_t count_active(const ReplicaSet& set, const Store& store, const Uids& adopted) {
  model::SelectorMemo selector({&set.selector});
  const auto counts = [&](const Pod* pod) {
    return pod->namespace_name == set.namespace_name && pod->active() &&
           selector.matches(pod->labels);
  };
  const auto owned = store.pods_of(set);
  auto count = std::count_if(owned.begin(), owned.end(), counts);
  if (!adopted.empty() && !set.deleting) {
    const auto orphans = store.orphans_in(set.namespace_name.view());
    count += std::count_if(orphans.begin(), orphans.end(), [&](const Pod* pod) {
      return adopted.contains(pod->uid.view()) && counts(pod);
    });
  }
  return static_cast<std::size_t>(count);
}

}  // namespace ebb::control::replicasets
