// I4 for ranks: once faults have stopped, what is published is complete and in the order of the
// strategies, nothing is left where nobody asks for ranks, and policies say how it is.
#pragma once

#include <string>

#include "base/timestamp.h"
#include "sim/inventory.h"

namespace ebb::sim {

// How long scale-downs may have to wait for ranks, one after the other, from now on.
[[nodiscard]] Nanoseconds waits_for_ranks(const Inventory& inventory);

// Empty if all is well, otherwise what is amiss. There is a ranker, and its feature is on.
[[nodiscard]] std::string unsettled_ranks(const Inventory& inventory);

}  // namespace ebb::sim
