// Rule 6: a higher rank from the cost-ranking component goes first (the cost KEP).
// The sign is the opposite of deletion cost, and the two are never mixed. Only in
// force when every candidate that matters is ranked.
#pragma once

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "order/candidate.h"
#include "order/key_bits.h"

namespace ebb::order {

struct CostRank {
  static constexpr std::string_view kName = "CostRank";

  static std::uint64_t key(const Candidate& candidate, const Setting& setting) {
    return setting.cost_ranks ? descending(candidate.cost_rank) : 0;
  }

  static std::string because(const Contrast& contrast, const Setting&) {
    return fmt::format("cost rank {} is {} than {} of {}", contrast.pod.cost_rank,
                       contrast.goes ? "higher" : "lower", contrast.other.cost_rank,
                       contrast.other_name);
  }
};

}  // namespace ebb::order
