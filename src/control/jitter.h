// Chance for delays, so that not everybody comes at once. From a seed: a run can be repeated.
#pragma once

#include <cstdint>

#include "base/timestamp.h"

namespace ebb::control {

class Jitter {
 public:
  explicit Jitter(std::uint64_t seed) : state_(seed) {}

  // From 0 up to, but not including, 1.
  [[nodiscard]] double fraction() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
    mixed ^= mixed >> 31U;
    return static_cast<double>(mixed >> 11U) * 0x1.0p-53;
  }

  // Between the delay and (1 + factor) times as much.
  [[nodiscard]] Nanoseconds stretch_ns(Nanoseconds delay_ns, double factor) {
    return delay_ns + static_cast<Nanoseconds>(static_cast<double>(delay_ns) * factor * fraction());
  }

 private:
  std::uint64_t state_;
};

}  // namespace ebb::control
