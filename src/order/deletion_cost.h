// Rule 5: the pod with the lower controller.kubernetes.io/pod-deletion-cost goes first; the default
// is 0 (KEP-2255).
#pragma once  // private to its room

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "order/candidate.h"
#include "order/key_bits.h"

namespace ebb::order {

struct DeletionCost {
  static constexpr std::string_view kName = "DeletionCost";

  static std::uint64_t key(const Candidate& candidate, const OrderContext& context) {
    return context.deletion_cost ? ascending(cost_of(candidate)) : 0;
  }

  static std::string brief(const Contrast& contrast, const OrderContext&) {
    return fmt::format("deletion cost {} is {} than {}", cost_of(contrast.pod),
                       contrast.goes ? "lower" : "higher", cost_of(contrast.other));
  }

  static std::string because(const Contrast& contrast, const OrderContext& context) {
    return fmt::format("{} of {}", brief(contrast, context), contrast.other_name);
  }

 private:
  static std::int32_t cost_of(const Candidate& candidate) {
    return candidate.cost_counts ? candidate.pod->deletion_cost : 0;
  }
};

}  // namespace ebb::order
