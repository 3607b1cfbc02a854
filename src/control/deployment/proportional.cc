#include "control/deployment/proportional.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace ebb::control {
namespace {

// The maximum size of a ReplicaSet. Products of two numbers in this range fit into 64 bits.
constexpr std::int64_t kMaxReplicas = std::numeric_limits<std::int32_t>::max();

// round(size * allowed / before) - size, halves away from zero; all are at least 0.
std::int64_t share_change(const ShareHolder& holder, const Allowance& allowance,
                          std::int64_t allowed) {
  if (allowed == 0) return -holder.replicas;
  std::int64_t before = holder.max_before.value_or(0);
  if (before == 0) before = allowance.status_replicas;
  if (before == 0) return 0;
  return std::min((2 * holder.replicas * allowed + before) / (2 * before), kMaxReplicas) -
         holder.replicas;
}

bool older_holder(const ShareHolder& a, const ShareHolder& b) {
  return a.created != b.created ? a.created < b.created : a.name < b.name;
}

}  // namespace

std::vector<std::size_t> by_size(std::span<const ShareHolder> holders, bool newest_first) {
  std::vector<std::size_t> order(holders.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    const ShareHolder& a = holders[i];
    const ShareHolder& b = holders[j];
    if (a.replicas != b.replicas) return a.replicas > b.replicas;
    return newest_first ? older_holder(b, a) : older_holder(a, b);
  });
  return order;
}

std::vector<std::int64_t> share_proportionally(std::span<const ShareHolder> holders,
                                               const Allowance& allowance) {
  const std::int64_t allowed =
      allowance.replicas == 0 ? 0 : std::min(allowance.replicas + allowance.surge, kMaxReplicas);
  std::int64_t to_add = allowed;
  for (const ShareHolder& holder : holders) to_add -= holder.replicas;

  // Among equally large ones, growth goes to the newest and shrinking to the oldest.
  const std::vector<std::size_t> order = by_size(holders, to_add > 0);
  std::vector<std::int64_t> sizes(holders.size());
  std::int64_t added = 0;
  for (const std::size_t i : order) {
    std::int64_t change = 0;
    if (to_add != added) {
      change = share_change(holders[i], allowance, allowed);
      change = to_add > 0 ? std::min(change, to_add - added) : std::max(change, to_add - added);
    }
    added += change;
    sizes[i] = holders[i].replicas + change;
  }
  // The rounding remainder goes to the largest.
  if (!order.empty()) {
    std::int64_t& first = sizes[order.front()];
    first = std::max<std::int64_t>(first + to_add - added, 0);
  }
  return sizes;
}

}  // namespace ebb::control
