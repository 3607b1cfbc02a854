// Rule 4: a pod with the label kubernetes.io/prefer-for-scale-down goes before one without,
// whatever the label's value (the label KEP). It precedes the graded hints below because the label
// names this particular pod.
#pragma once  // private to its room

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "order/candidate.h"

namespace ebb::order {

struct PreferForScaleDown {
  static constexpr std::string_view kName = "PreferForScaleDown";

  static std::uint64_t key(const Candidate& candidate, const OrderContext& context) {
    return context.prefer_label && candidate.pod->prefer_for_scale_down ? 0 : 1;
  }

  static std::string brief(const Contrast& contrast, const OrderContext&) {
    return fmt::format("{} the label prefer-for-scale-down", contrast.goes ? "has" : "without");
  }

  static std::string because(const Contrast& contrast, const OrderContext&) {
    return fmt::format("{} label {}, unlike {}", contrast.goes ? "has the" : "does not have the",
                       model::kPreferForScaleDownLabel, contrast.other_name);
  }
};

}  // namespace ebb::order
