// SplitMix64: small, seeded random numbers that are the same on every machine, unlike the standard
// library's distributions.
#pragma once

#include <cstdint>

namespace ebb {

constexpr std::uint64_t splitmix64(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15U;
  std::uint64_t mixed = state;
  mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
  return mixed ^ (mixed >> 31U);
}

// In [0, 1).
constexpr double splitmix64_fraction(std::uint64_t& state) {
  return static_cast<double>(splitmix64(state) >> 11U) * 0x1.0p-53;
}

}  // namespace ebb
