// I4 for ranks: once faults have stopped, the published ranks are complete and in the order of the
// strategies, no ranks remain where no policy asks for them, and the status of policies is right.
#pragma once

#include <cstddef>
#include <string>

#include "base/timestamp.h"
#include "sim/rules/inventory.h"

namespace ebb::sim {

// How long scale-downs may have to wait for ranks from now on, in sequence. A process that has not
// seen the last sizes may first create pods up to an earlier one, at most `max_replicas`.
[[nodiscard]] Nanoseconds waits_for_ranks(const Inventory& inventory, std::size_t max_replicas);

// Returns what is wrong; empty if nothing. Requires a ranker with its feature gate on.
[[nodiscard]] std::string unsettled_ranks(const Inventory& inventory);

}  // namespace ebb::sim
