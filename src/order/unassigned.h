// Rule 1: a pod without a node goes before one with a node. It serves no traffic yet.
#pragma once  // private to its room

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "order/candidate.h"

namespace ebb::order {

struct Unassigned {
  static constexpr std::string_view kName = "Unassigned";

  static std::uint64_t key(const Candidate& candidate, const OrderContext&) {
    return candidate.pod->node.empty() ? 0 : 1;
  }

  static std::string brief(const Contrast& contrast, const OrderContext&) {
    return contrast.goes ? "not assigned to a node" : "assigned to a node";
  }

  static std::string because(const Contrast& contrast, const OrderContext& context) {
    return fmt::format("{}, unlike {}", brief(contrast, context), contrast.other_name);
  }
};

}  // namespace ebb::order
