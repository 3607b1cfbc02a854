// Chooses the values to publish so that as few writes as possible are needed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ranking/strategy.h"

namespace ebb::ranking {

// Values with the same order, and the same ties, as `ranks`. As many pods as possible keep their
// published value; if nothing is published, the values are the ranks.
[[nodiscard]] std::vector<std::int32_t> settle_values(
    const Ranks& ranks, std::span<const std::optional<std::int32_t>> published);

// Over the uids of the pods, independent of their order.
[[nodiscard]] std::string pod_set_hash(Pods pods);

}  // namespace ebb::ranking
