// In which order to write values onto pods, one by one.
//
// A scale-down may come between any two writes, so every beginning has to make as much sense as it
// can: of two pods that are in the right order before, none is ever in the wrong order between.
//
// Pods that are to go sooner than what stands on them says are written first, the highest value
// before the others; then those that are to go later, the lowest first. Each write then passes
// only pods that it is to pass for good: of two that rise, the one that ends higher rises first,
// and of two that fall, the one that ends lower falls first. Two that were in the wrong order
// change places with the first or the second write of the two, and nothing could do better for
// all of them. So a group on which nothing stood yet has its top right for as many pods as have
// been written, whatever their number.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ebb::ranking {

// What a pod without a value counts as.
enum class Unwritten : std::uint8_t {
  kZero,  // it has the value 0 like others, as with deletion costs
  kNone,  // nobody's values count until it has one, so it comes before all changes
};

// The indices of those whose value is not the published one, in the order in which to write them.
// Equal ones stay as they are.
[[nodiscard]] std::vector<std::size_t> write_order(
    std::span<const std::int32_t> values, std::span<const std::optional<std::int32_t>> published,
    Unwritten unwritten);

}  // namespace ebb::ranking
