// Divides a change of size among the ReplicaSets of a Deployment during a rollout: in proportion,
// so that a failing rollout leaves most pods where they were.
#pragma once  // private to its room

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/timestamp.h"

namespace ebb::control {

// A ReplicaSet with replicas.
struct ShareHolder {
  std::int64_t replicas = 0;
  // Replicas plus surge of the Deployment when this one was last scaled.
  std::optional<std::int64_t> max_before{};
  Timestamp created{};
  std::string_view name{};
};

struct Allowance {
  std::int64_t replicas = 0;         // desired by the Deployment
  std::int64_t surge = 0;            // how many it may have beyond that
  std::int64_t status_replicas = 0;  // its previous total, for holders without max_before
};

// The new size of each, in the order of the holders.
[[nodiscard]] std::vector<std::int64_t> share_proportionally(std::span<const ShareHolder> holders,
                                                             const Allowance& allowance);

// The holders by size, largest first; among equally large ones the oldest, or the newest, first.
[[nodiscard]] std::vector<std::size_t> by_size(std::span<const ShareHolder> holders,
                                               bool newest_first);

}  // namespace ebb::control
