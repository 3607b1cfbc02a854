// Rule 6: the pod with the higher cost rank goes first (the cost KEP). The sign is the opposite of
// deletion cost, and the two are never mixed. Applies only if every relevant candidate has a rank.
#pragma once  // private to its room

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "order/candidate.h"
#include "order/key_bits.h"

namespace ebb::order {

struct CostRank {
  static constexpr std::string_view kName = "CostRank";

  static std::uint64_t key(const Candidate& candidate, const OrderContext& context) {
    return context.cost_ranks ? descending(candidate.cost_rank) : 0;
  }

  static std::string brief(const Contrast& contrast, const OrderContext&) {
    return fmt::format("cost rank {} is {} than {}", contrast.pod.cost_rank,
                       contrast.goes ? "higher" : "lower", contrast.other.cost_rank);
  }

  static std::string because(const Contrast& contrast, const OrderContext& context) {
    return fmt::format("{} of {}", brief(contrast, context), contrast.other_name);
  }
};

}  // namespace ebb::order
