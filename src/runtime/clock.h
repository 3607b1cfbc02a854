// The two clocks, which only the shell may read.
#pragma once

#include <algorithm>
#include <chrono>

#include "base/now.h"

namespace ebb::runtime {

[[nodiscard]] inline Now clock_now() {
  const auto count = [](auto since) {
    return Timestamp::from_nanoseconds(
        std::chrono::duration_cast<std::chrono::nanoseconds>(since.time_since_epoch()).count());
  };
  return {.wall = count(std::chrono::system_clock::now()),
          .mono = count(std::chrono::steady_clock::now())};
}

// How long to wait from `now` until `then`: nothing if that is past, and never longer than
// `most_ns`. The zero time is never.
[[nodiscard]] constexpr Nanoseconds wait_ns(Timestamp then, Timestamp now, Nanoseconds most_ns) {
  if (then.is_zero()) return most_ns;
  return std::clamp(elapsed_ns(now, then), Nanoseconds{0}, most_ns);
}

}  // namespace ebb::runtime
