// How a change of size is shared among the ReplicaSets of a Deployment in the middle of a
// rollout: in proportion, so that a rollout that fails leaves most pods where they were.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/timestamp.h"

namespace ebb::control {

// A ReplicaSet that has replicas.
struct ShareHolder {
  std::int64_t replicas = 0;
  // What replicas and surge of the Deployment were when it was last scaled.
  std::optional<std::int64_t> max_before{};
  Timestamp created{};
  std::string_view name{};
};

struct Allowance {
  std::int64_t replicas = 0;         // what the Deployment wants
  std::int64_t surge = 0;            // and may have beyond that
  std::int64_t status_replicas = 0;  // what it had, for holders that do not know
};

// The new size of each, in the order of the holders.
[[nodiscard]] std::vector<std::int64_t> share_proportionally(std::span<const ShareHolder> holders,
                                                             const Allowance& allowance);

// The holders by size, the largest first; of equally large ones the oldest, or the newest.
[[nodiscard]] std::vector<std::size_t> by_size(std::span<const ShareHolder> holders,
                                               bool newest_first);

}  // namespace ebb::control
