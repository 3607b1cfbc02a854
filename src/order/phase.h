// Rule 2: Pending goes before Unknown, Unknown before Running. An unset or unknown phase counts as
// Pending.
#pragma once  // private to its room

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "order/candidate.h"

namespace ebb::order {

struct Phase {
  static constexpr std::string_view kName = "Phase";

  static std::uint64_t key(const Candidate& candidate, const OrderContext&) {
    switch (candidate.pod->phase) {
      case model::Phase::kRunning:
        return 2;
      case model::Phase::kUnknown:
        return 1;
      default:
        return 0;
    }
  }

  static std::string brief(const Contrast& contrast, const OrderContext&) {
    return fmt::format("phase {} goes {} {}", to_string(contrast.pod.pod->phase),
                       contrast.goes ? "before" : "after", to_string(contrast.other.pod->phase));
  }

  static std::string because(const Contrast& contrast, const OrderContext& context) {
    return fmt::format("{} of {}", brief(contrast, context), contrast.other_name);
  }
};

}  // namespace ebb::order
