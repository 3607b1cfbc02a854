#include "ranking/age_order.h"

#include <algorithm>
#include <numeric>

namespace ebb::ranking {

bool is_older(const model::Pod& a, const model::Pod& b) {
  if (a.created == b.created) return a.name.view() < b.name.view();
  if (a.created.is_zero() || b.created.is_zero()) return b.created.is_zero();
  return a.created < b.created;
}

std::vector<std::size_t> oldest_first(Pods pods) {
  std::vector<std::size_t> order(pods.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return is_older(*pods[a], *pods[b]); });
  return order;
}

}  // namespace ebb::ranking
