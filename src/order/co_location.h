// Rule 7, without a picker's answer: the pod that shares its node with more of the
// workload's pods goes first, so that what stays is spread.
#pragma once

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "order/candidate.h"

namespace ebb::order {

struct CoLocation {
  static constexpr std::string_view kName = "CoLocation";

  static std::uint64_t key(const Candidate& candidate, const Setting& setting) {
    return setting.picker ? 0 : ~candidate.co_located;
  }

  // Both pods have a node: rule 1 tells those without from the others, and among
  // themselves they share one count.
  static std::string because(const Contrast& contrast, const Setting&) {
    return fmt::format("{} holds {} of the related pods, {} than the {} on {} of {}",
                       contrast.pod.pod->node.view(), contrast.pod.co_located,
                       contrast.goes ? "more" : "fewer", contrast.other.co_located,
                       contrast.other.pod->node.view(), contrast.other_name);
  }
};

}  // namespace ebb::order
