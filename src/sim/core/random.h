// Random numbers from a seed: the same seed gives the same run on every machine.
#pragma once

#include <cstdint>

#include "base/splitmix64.h"

namespace ebb::sim {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  [[nodiscard]] std::uint64_t next() { return splitmix64(state_); }
  // A number from 0 to `below` - 1; `below` is at least 1.
  [[nodiscard]] std::uint64_t below(std::uint64_t below) { return next() % below; }
  [[nodiscard]] bool chance(double probability) {
    return splitmix64_fraction(state_) < probability;
  }
  // An element of a non-empty list.
  template <class List>
  [[nodiscard]] const auto& one_of(const List& list) {
    return list[below(list.size())];
  }

 private:
  std::uint64_t state_;
};

}  // namespace ebb::sim
