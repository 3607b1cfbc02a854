// What the cache shows of a ReplicaSet at one moment.
#pragma once  // private to its room

#include <cstddef>
#include <functional>
#include <set>
#include <span>
#include <string>

#include "control/cache/store.h"
#include "control/controller/pending_calls.h"
#include "control/core/claim.h"

namespace ebb::control::replicasets {

// A ReplicaSet and its pods. It points into the store, and anything may change between two steps,
// so each step takes a new one.
struct Snapshot {
  const ReplicaSet* set = nullptr;  // null: it is gone, or has been replaced by another one
  Claim claim{};
};

using Uids = std::set<std::string, std::less<>>;

// `pods` are those of the ReplicaSet, and orphans. `adopted` are the orphans that the sync has
// adopted, which the cache may not show yet; the others are not active.
[[nodiscard]] Snapshot take_snapshot(const ReplicaSet& set, std::span<const Pod* const> pods,
                                     const Uids& adopted);

// For calls that are about to be sent, possibly long after they were queued:

// The number of pods that a snapshot has as active, but cheaper.
[[nodiscard]] std::size_t count_active(const ReplicaSet& set, const Store& store,
                                       const Uids& adopted);
// Whether the pod of the call still exists and is still to be adopted, released or deleted. `pod`
// is the one that has its name; null: there is none.
[[nodiscard]] bool still_claims(const ReplicaSet& set, const Pod* pod, const PendingCall& pending,
                                const Uids& adopted);

}  // namespace ebb::control::replicasets
