// Rule 1: a pod that no node was found for goes before one that runs somewhere.
// Nobody is served by it yet.
#pragma once

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "order/candidate.h"

namespace ebb::order {

struct Unassigned {
  static constexpr std::string_view kName = "Unassigned";

  static std::uint64_t key(const Candidate& candidate, const Setting&) {
    return candidate.pod->node.empty() ? 0 : 1;
  }

  static std::string because(const Contrast& contrast, const Setting&) {
    return fmt::format("{} to a node, unlike {}", contrast.goes ? "not assigned" : "assigned",
                       contrast.other_name);
  }
};

}  // namespace ebb::order
