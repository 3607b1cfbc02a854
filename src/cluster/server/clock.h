// The wall clock, which only the shell may read.
#pragma once

#include <algorithm>
#include <chrono>

#include "base/timestamp.h"
#include "net/address/steady_clock.h"

namespace ebb::cluster {

using net::wall_now;

// The time to sleep from `now` until `then`: at most a second, because the wall clock can be set,
// and never negative. The zero time means never.
[[nodiscard]] inline std::chrono::nanoseconds sleep_until(Timestamp then, Timestamp now) {
  constexpr std::chrono::nanoseconds kMax = std::chrono::seconds(1);
  if (then.is_zero()) return kMax;
  return std::clamp(std::chrono::nanoseconds(elapsed_ns(now, then)), std::chrono::nanoseconds(0),
                    kMax);
}

}  // namespace ebb::cluster
