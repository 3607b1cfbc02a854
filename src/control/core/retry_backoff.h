// The delay after a failure: 800 ms, doubled up to 30 s, plus up to the same again at random. A
// success ten seconds or more after the last failure resets it: an API server that restarts now and
// then must not leave a client without data for a minute.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>

#include "base/now.h"
#include "base/timestamp.h"

namespace ebb::control {

class RetryBackoff {
 public:
  explicit RetryBackoff(std::uint64_t seed) : random_(seed) {}

  // Call on each failure.
  [[nodiscard]] Nanoseconds delay_ns(Now now) {
    last_failure_ = now.mono;
    const Nanoseconds base = std::min(kFirst << std::min(failures_, 10U), kLongest);
    ++failures_;
    return base + static_cast<Nanoseconds>(below(static_cast<std::uint64_t>(base)));
  }
  void record_success(Now now) {
    if (!last_failure_.is_zero() && elapsed_ns(last_failure_, now.mono) >= kCalmNs) failures_ = 0;
  }
  // There has been no failure since the last reset.
  [[nodiscard]] bool is_calm() const { return failures_ == 0; }
  static constexpr Nanoseconds kCalmNs = 10 * kNanosecondsPerSecond;

  // Random, in [0, limit). The engine is the same on every platform, unlike the standard's
  // distributions.
  [[nodiscard]] std::uint64_t below(std::uint64_t limit) { return random_() % limit; }

 private:
  static constexpr Nanoseconds kFirst = 800'000'000;
  static constexpr Nanoseconds kLongest = 30 * kNanosecondsPerSecond;

  std::mt19937_64 random_;
  unsigned failures_ = 0;
  Timestamp last_failure_;
};

}  // namespace ebb::control
