// The clocks of the machine. State machines do not read them: they get a Now with every input.
#pragma once

#include "base/now.h"
#include "base/timestamp.h"

namespace ebb::net {

// The clock for deadlines. Counts from an arbitrary moment and never goes back. It includes time
// during which the machine is suspended (CLOCK_BOOTTIME): for the rest of the world that time has
// passed, and another process may hold the lease afterwards. Kernel sleeps do not include it, so
// code that wakes up reads this clock before it acts.
[[nodiscard]] Nanoseconds steady_now_ns();

[[nodiscard]] Timestamp wall_now();
// Both clocks.
[[nodiscard]] Now clock_now();

}  // namespace ebb::net
