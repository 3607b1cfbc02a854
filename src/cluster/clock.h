// The wall clock, which only the shell may read.
#pragma once

#include <algorithm>
#include <chrono>

#include "base/timestamp.h"

namespace ebb::cluster {

[[nodiscard]] inline Timestamp wall_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return Timestamp::from_nanoseconds(
      std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

// How long to sleep from `now` until `then`: never longer than a second, because the wall
// clock can be set, and never less than nothing. The zero time is never.
[[nodiscard]] inline std::chrono::nanoseconds sleep_until(Timestamp then, Timestamp now) {
  constexpr std::chrono::nanoseconds kMost = std::chrono::seconds(1);
  if (then.is_zero()) return kMost;
  return std::clamp(std::chrono::nanoseconds(elapsed_ns(now, then)), std::chrono::nanoseconds(0),
                    kMost);
}

}  // namespace ebb::cluster
