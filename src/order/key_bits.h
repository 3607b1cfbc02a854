// Maps signed values to unsigned keys of the same order.
#pragma once  // private to its room

#include <cstdint>

namespace ebb::order {

// Smaller values have smaller keys.
constexpr std::uint64_t ascending(std::int32_t value) {
  return static_cast<std::uint32_t>(value) ^ 0x8000'0000U;
}

// Greater values have smaller keys.
constexpr std::uint64_t descending(std::int32_t value) {
  return static_cast<std::uint32_t>(~ascending(value));
}

}  // namespace ebb::order
