// How long to wait after a failure: 800 ms, doubled up to 30 s, and up to twice that at random.
// Two minutes without a failure, and it starts from the beginning.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>

#include "base/now.h"
#include "base/timestamp.h"

namespace ebb::control {

class RetryPace {
 public:
  explicit RetryPace(std::uint64_t seed) : random_(seed) {}

  // A failure happened now.
  [[nodiscard]] Nanoseconds delay_ns(Now now) {
    if (is_calm(now)) failures_ = 0;
    last_failure_ = now.mono;
    const Nanoseconds base = std::min(kFirst << std::min(failures_, 10U), kLongest);
    ++failures_;
    return base + static_cast<Nanoseconds>(below(static_cast<std::uint64_t>(base)));
  }
  // Nothing has failed for a while.
  [[nodiscard]] bool is_calm(Now now) const {
    return last_failure_.is_zero() || elapsed_ns(last_failure_, now.mono) >= kCalm;
  }

  // At random, from 0 up to but not including `limit`. The engine is the same everywhere, unlike
  // the standard's distributions.
  [[nodiscard]] std::uint64_t below(std::uint64_t limit) { return random_() % limit; }

 private:
  static constexpr Nanoseconds kFirst = 800'000'000;
  static constexpr Nanoseconds kLongest = 30 * kNanosecondsPerSecond;
  static constexpr Nanoseconds kCalm = 120 * kNanosecondsPerSecond;

  std::mt19937_64 random_;
  unsigned failures_ = 0;
  Timestamp last_failure_;
};

}  // namespace ebb::control
