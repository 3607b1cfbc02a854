#include "sim/dice.h"

namespace ebb::sim {

// SplitMix64, because the standard library's distributions differ between implementations.
std::uint64_t Dice::next() {
  state_ += 0x9e3779b97f4a7c15U;
  std::uint64_t mixed = state_;
  mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
  return mixed ^ (mixed >> 31U);
}

bool Dice::chance(double probability) {
  return static_cast<double>(next() >> 11U) * 0x1.0p-53 < probability;
}

}  // namespace ebb::sim
