// Rule 7, without a picker's answer: the pod that shares its node with more of the workload's pods
// goes first, so that the remaining pods are spread out.
#pragma once  // private to its room

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "order/candidate.h"

namespace ebb::order {

struct CoLocation {
  static constexpr std::string_view kName = "CoLocation";

  static std::uint64_t key(const Candidate& candidate, const OrderContext& context) {
    return context.picker ? 0 : ~candidate.co_located;
  }

  static std::string brief(const Contrast& contrast, const OrderContext&) {
    return fmt::format("related pods on its node: {}, {} than {}", contrast.pod.co_located,
                       contrast.goes ? "more" : "fewer", contrast.other.co_located);
  }

  // Both pods have a node: rule 1 separates those without, and these share one count.
  static std::string because(const Contrast& contrast, const OrderContext&) {
    return fmt::format("{} holds {} of the related pods, {} than the {} on {} of {}",
                       contrast.pod.pod->node.view(), contrast.pod.co_located,
                       contrast.goes ? "more" : "fewer", contrast.other.co_located,
                       contrast.other.pod->node.view(), contrast.other_name);
  }
};

}  // namespace ebb::order
