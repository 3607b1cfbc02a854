// The end of a run: faults have stopped, and the world has to come to rest (I4).
#pragma once  // private to its room

#include <cstddef>

#include "base/timestamp.h"
#include "sim/run.h"
#include "sim/world/world.h"

namespace ebb::sim {

// A run that takes longer must have waited for an expectation. `max_replicas`: the largest size
// that users asked for; `more_ns`: for timers that the world does not know of.
void come_to_rest(World& world, std::size_t max_replicas, Nanoseconds more_ns, RunResult& result);
inline constexpr Nanoseconds kCalm = 600 * kSecond;
// Nothing is written any more.
void stay_calm(World& world, Nanoseconds calm);
// Fills in the result.
void finish(World& world, RunResult& result);

}  // namespace ebb::sim
