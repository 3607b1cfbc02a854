// The order in which to write values onto pods, one by one.
//
// A scale-down may happen between any two writes, so every intermediate state must be as good as
// possible: two pods that start in the right order are never in the wrong order in between.
//
// Pods that must go sooner than their current value says are written first, the highest value
// first; then those that must go later, the lowest first. Each write then passes only pods that it
// passes for good: of two that rise, the one that ends higher rises first, and of two that fall,
// the one that ends lower falls first. Two pods in the wrong order are fixed by the first or the
// second of their writes, and no order does better for all of them. So in a group without values,
// the top is right for as many pods as have been written.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ebb::ranking {

// The meaning of a pod without a value.
enum class Unwritten : std::uint8_t {
  kZero,  // it counts as 0, as with deletion costs
  kNone,  // no values count until it has one, so it is written before all changes
};

// The indices of the pods whose value differs from the published one, in the order to write them.
// Equal ones are not written.
[[nodiscard]] std::vector<std::size_t> write_order(
    std::span<const std::int32_t> values, std::span<const std::optional<std::int32_t>> published,
    Unwritten unwritten);

}  // namespace ebb::ranking
