// Rule 2: Pending goes before Unknown, Unknown before Running. A phase that is
// unset or none of these counts as Pending.
#pragma once

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "order/candidate.h"

namespace ebb::order {

struct Phase {
  static constexpr std::string_view kName = "Phase";

  static std::uint64_t key(const Candidate& candidate, const Setting&) {
    switch (candidate.pod->phase) {
      case model::Phase::kRunning:
        return 2;
      case model::Phase::kUnknown:
        return 1;
      default:
        return 0;
    }
  }

  static std::string because(const Contrast& contrast, const Setting&) {
    return fmt::format("phase {} goes {} {} of {}", to_string(contrast.pod.pod->phase),
                       contrast.goes ? "before" : "after", to_string(contrast.other.pod->phase),
                       contrast.other_name);
  }
};

}  // namespace ebb::order
