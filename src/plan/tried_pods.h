// The pods as they would be with a tried policy in effect.
#pragma once  // private to its room

#include <span>
#include <vector>

#include "model/records/snapshot.h"
#include "plan/tried_policy.h"

namespace ebb::plan {

// Removes the values that a ranker published for existing policies, and sets the deletion costs
// that it would publish for the tried one. Values from other writers stay.
[[nodiscard]] std::vector<model::Pod> pods_as_if(const TriedPolicy& tried,
                                                 std::span<const model::Pod* const> pods,
                                                 const model::Snapshot& snapshot);

}  // namespace ebb::plan
