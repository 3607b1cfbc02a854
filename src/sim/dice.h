// Chance from a seed: the same seed gives the same run on every machine.
#pragma once

#include <cstdint>

namespace ebb::sim {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}

  [[nodiscard]] std::uint64_t next();
  // From 0 up to, but not including, `below`, which is at least 1.
  [[nodiscard]] std::uint64_t below(std::uint64_t below) { return next() % below; }
  [[nodiscard]] bool chance(double probability);

 private:
  std::uint64_t state_;
};

}  // namespace ebb::sim
