// Rule 3: a pod that is not Ready goes before one that is.
#pragma once

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "order/candidate.h"

namespace ebb::order {

struct NotReady {
  static constexpr std::string_view kName = "NotReady";

  static std::uint64_t key(const Candidate& candidate, const Setting&) {
    return candidate.pod->ready ? 1 : 0;
  }

  static std::string because(const Contrast& contrast, const Setting&) {
    return fmt::format("{}, unlike {}", contrast.goes ? "not Ready" : "Ready", contrast.other_name);
  }
};

}  // namespace ebb::order
