// For tests of the rules: what a process would see and decide, made by hand.
#pragma once

#include <string>
#include <vector>

#include "control/cache/store.h"
#include "control/core/decision.h"
#include "sim/world/world.h"

namespace ebb::testing {

// Lists pods and ReplicaSets into the store, so that it catches up with the truth.
void list_into(sim::World& world, control::Store& store);

[[nodiscard]] std::vector<control::Decision::Victim> victims(const sim::World& world,
                                                             const std::vector<std::string>& names);

}  // namespace ebb::testing
