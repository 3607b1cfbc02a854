// Rule 3: a pod that is not Ready goes before one that is.
#pragma once  // private to its room

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "order/candidate.h"

namespace ebb::order {

struct NotReady {
  static constexpr std::string_view kName = "NotReady";

  static std::uint64_t key(const Candidate& candidate, const OrderContext&) {
    return candidate.pod->ready ? 1 : 0;
  }

  static std::string brief(const Contrast& contrast, const OrderContext&) {
    return contrast.goes ? "not Ready" : "Ready";
  }

  static std::string because(const Contrast& contrast, const OrderContext& context) {
    return fmt::format("{}, unlike {}", brief(contrast, context), contrast.other_name);
  }
};

}  // namespace ebb::order
