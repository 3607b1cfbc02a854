// Rule 7, with a valid answer from a picker: chosen pods go before tied ones, and tied ones before
// unnamed ones (KEP-3189). Co-location is then not used.
#pragma once  // private to its room

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "order/candidate.h"

namespace ebb::order {

struct PickerRank {
  static constexpr std::string_view kName = "PickerRank";

  static std::uint64_t key(const Candidate& candidate, const OrderContext& context) {
    return context.picker ? static_cast<std::uint64_t>(candidate.verdict) : 0;
  }

  static std::string brief(const Contrast& contrast, const OrderContext&) {
    return fmt::format("verdict \"{}\" goes {} \"{}\"", to_string(contrast.pod.verdict),
                       contrast.goes ? "before" : "after", to_string(contrast.other.verdict));
  }

  static std::string because(const Contrast& contrast, const OrderContext& context) {
    return fmt::format("the picker's {} of {}", brief(contrast, context), contrast.other_name);
  }
};

}  // namespace ebb::order
