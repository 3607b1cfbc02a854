// Pods as they would be once a policy that is tried is in force.
#pragma once

#include <span>
#include <vector>

#include "model/snapshot.h"
#include "plan/tried_policy.h"

namespace ebb::plan {

// Without what a ranker has published on them for the policies that are there, and with the
// deletion costs that one would publish for this. What somebody else has set stays.
[[nodiscard]] std::vector<model::Pod> pods_as_if(const TriedPolicy& tried,
                                                 std::span<const model::Pod* const> pods,
                                                 const model::Snapshot& snapshot);

}  // namespace ebb::plan
