// Random delays, so that clients do not all retry at once. Seeded, so that runs are reproducible.
#pragma once

#include <cstdint>

#include "base/splitmix64.h"
#include "base/timestamp.h"

namespace ebb::control {

class Jitter {
 public:
  explicit Jitter(std::uint64_t seed) : state_(seed) {}

  // In [0, 1).
  [[nodiscard]] double fraction() { return splitmix64_fraction(state_); }

  // Between the delay and (1 + factor) times the delay.
  [[nodiscard]] Nanoseconds stretch_ns(Nanoseconds delay_ns, double factor) {
    return delay_ns + static_cast<Nanoseconds>(static_cast<double>(delay_ns) * factor * fraction());
  }

 private:
  std::uint64_t state_;
};

}  // namespace ebb::control
