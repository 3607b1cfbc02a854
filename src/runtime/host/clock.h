// The wall clock and the monotonic clock. Only the host code may read them.
#pragma once

#include <algorithm>

#include "base/now.h"
#include "net/address/steady_clock.h"

namespace ebb::runtime {

using net::clock_now;

// How long to wait from `now` until `then`: 0 if `then` is past, and at most `max_ns`. The zero
// time means never.
[[nodiscard]] constexpr Nanoseconds wait_ns(Timestamp then, Timestamp now, Nanoseconds max_ns) {
  if (then.is_zero()) return max_ns;
  return std::clamp(elapsed_ns(now, then), Nanoseconds{0}, max_ns);
}

}  // namespace ebb::runtime
