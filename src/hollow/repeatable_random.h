// Deterministic random numbers, derived from a seed, a pod's uid and a purpose.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/splitmix64.h"
#include "base/timestamp.h"

namespace ebb::hollow {

struct DelayRange {
  Nanoseconds min_ns = 0;
  Nanoseconds max_ns = 0;
};

[[nodiscard]] constexpr std::uint64_t scramble(std::uint64_t value) { return splitmix64(value); }

// A random number for an object: the same for the same seed and text, on every machine.
[[nodiscard]] constexpr std::uint64_t random_of(std::uint64_t seed, std::string_view text) {
  std::uint64_t value = scramble(seed);
  for (const char c : text) value = scramble(value ^ static_cast<unsigned char>(c));
  return value;
}

[[nodiscard]] constexpr Nanoseconds draw(const DelayRange& range, std::uint64_t random,
                                         std::uint64_t purpose) {
  if (range.max_ns <= range.min_ns) return range.min_ns;
  const auto width = static_cast<std::uint64_t>(range.max_ns - range.min_ns) + 1;
  return range.min_ns + static_cast<Nanoseconds>(scramble(random ^ scramble(purpose)) % width);
}

}  // namespace ebb::hollow
