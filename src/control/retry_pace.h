// How long to wait after a failure: 800 ms, doubled up to 30 s, and up to twice that at random.
// Once something has gone well, ten seconds or more after the last failure, it starts from the
// beginning: an API server that is restarted now and then must not leave anybody blind for a
// minute.
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
    last_failure_ = now.mono;
    const Nanoseconds base = std::min(kFirst << std::min(failures_, 10U), kLongest);
    ++failures_;
    return base + static_cast<Nanoseconds>(below(static_cast<std::uint64_t>(base)));
  }
  void went_well(Now now) {
    if (!last_failure_.is_zero() && elapsed_ns(last_failure_, now.mono) >= kCalmNs) failures_ = 0;
  }
  // Nothing has failed since it last went well for a while.
  [[nodiscard]] bool is_calm() const { return failures_ == 0; }
  static constexpr Nanoseconds kCalmNs = 10 * kNanosecondsPerSecond;

  // At random, from 0 up to but not including `limit`. The engine is the same everywhere, unlike
  // the standard's distributions.
  [[nodiscard]] std::uint64_t below(std::uint64_t limit) { return random_() % limit; }

 private:
  static constexpr Nanoseconds kFirst = 800'000'000;
  static constexpr Nanoseconds kLongest = 30 * kNanosecondsPerSecond;

  std::mt19937_64 random_;
  unsigned failures_ = 0;
  Timestamp last_failure_;
};

}  // namespace ebb::control
