// What to publish so that as little as possible has to be written.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ranking/strategy.h"

namespace ebb::ranking {

// Values in the order of `ranks`: larger, equal and smaller ones where the ranks are so. What
// is published already stays for as many pods as possible; if nothing is, the values are the ranks.
[[nodiscard]] std::vector<std::int32_t> settle_values(
    const Ranks& ranks, std::span<const std::optional<std::int32_t>> published);

// Of the uids of the pods, whatever their order.
[[nodiscard]] std::string pod_set_hash(Pods pods);

}  // namespace ebb::ranking
