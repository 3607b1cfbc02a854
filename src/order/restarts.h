// Rule 9: the pod whose containers restarted more often goes first; at equal counts, the one whose
// sidecars did.
#pragma once  // private to its room

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "order/candidate.h"
#include "order/key_bits.h"

namespace ebb::order {

struct Restarts {
  static constexpr std::string_view kName = "Restarts";

  static std::uint64_t key(const Candidate& candidate, const OrderContext&) {
    return descending(candidate.pod->restarts) << 32 | descending(candidate.pod->sidecar_restarts);
  }

  static std::string brief(const Contrast& contrast, const OrderContext&) {
    const model::Pod& pod = *contrast.pod.pod;
    const model::Pod& other = *contrast.other.pod;
    const bool sidecars = pod.restarts == other.restarts;
    return fmt::format("{} {} is {} than {}", sidecars ? "sidecar restart count" : "restart count",
                       sidecars ? pod.sidecar_restarts : pod.restarts,
                       contrast.goes ? "higher" : "lower",
                       sidecars ? other.sidecar_restarts : other.restarts);
  }

  static std::string because(const Contrast& contrast, const OrderContext& context) {
    return fmt::format("{} of {}", brief(contrast, context), contrast.other_name);
  }
};

}  // namespace ebb::order
