// Chance that can be repeated: numbers from a seed, a pod's uid and what they are for.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/timestamp.h"

namespace ebb::nodes {

struct DelayRange {
  Nanoseconds least_ns = 0;
  Nanoseconds most_ns = 0;
};

[[nodiscard]] constexpr std::uint64_t scramble(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15ULL;
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31U);
}

// The luck of an object: the same for the same seed and text, on every machine.
[[nodiscard]] constexpr std::uint64_t luck_of(std::uint64_t seed, std::string_view text) {
  std::uint64_t value = scramble(seed);
  for (const char c : text) value = scramble(value ^ static_cast<unsigned char>(c));
  return value;
}

[[nodiscard]] constexpr Nanoseconds draw(const DelayRange& range, std::uint64_t luck,
                                         std::uint64_t purpose) {
  if (range.most_ns <= range.least_ns) return range.least_ns;
  const auto width = static_cast<std::uint64_t>(range.most_ns - range.least_ns) + 1;
  return range.least_ns + static_cast<Nanoseconds>(scramble(luck ^ scramble(purpose)) % width);
}

}  // namespace ebb::nodes
