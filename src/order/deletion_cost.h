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
    return setting.deletion_cost ? ascending(candidate.pod->deletion_cost) : 0;
  }

  static std::string because(const Contrast& contrast, const Setting&) {
    return fmt::format("deletion cost {} is {} than {} of {}", contrast.pod.pod->deletion_cost,
                       contrast.goes ? "lower" : "higher", contrast.other.pod->deletion_cost,
                       contrast.other_name);
  }
};

}  // namespace ebb::order
