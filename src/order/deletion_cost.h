// Rule 5: a lower controller.kubernetes.io/pod-deletion-cost goes first; a pod
// without one has 0 (KEP-2255).
#pragma once

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "order/candidate.h"
#include "order/key_bits.h"

namespace ebb::order {

struct DeletionCost {
  static constexpr std::string_view kName = "DeletionCost";

  static std::uint64_t key(const Candidate& candidate, const Setting& setting) {
    return setting.deletion_cost ? ascending(cost_of(candidate)) : 0;
  }

  static std::string because(const Contrast& contrast, const Setting&) {
    return fmt::format("deletion cost {} is {} than {} of {}", cost_of(contrast.pod),
                       contrast.goes ? "lower" : "higher", cost_of(contrast.other),
                       contrast.other_name);
  }

 private:
  static std::int32_t cost_of(const Candidate& candidate) {
    return candidate.cost_counts ? candidate.pod->deletion_cost : 0;
  }
};

}  // namespace ebb::order
