#include "ranking/write_order.h"

#include <algorithm>
#include <tuple>

#include "base/check.h"

namespace ebb::ranking {
namespace {

enum class Turn : std::uint8_t { kCompletes, kRises, kFalls };

struct Write {
  std::size_t index = 0;
  Turn turn = Turn::kRises;
  std::int64_t place = 0;  // within the turn

  friend bool operator<(const Write& a, const Write& b) {
    return std::tie(a.turn, a.place) < std::tie(b.turn, b.place);
  }
};

Write plan_write(std::size_t index, std::int32_t value, std::optional<std::int32_t> published,
                 Unwritten unwritten) {
  const std::int64_t to = value;
  if (!published && unwritten == Unwritten::kNone) return {index, Turn::kCompletes, -to};
  const bool rises = to >= published.value_or(0);
  return {index, rises ? Turn::kRises : Turn::kFalls, rises ? -to : to};
}

}  // namespace

std::vector<std::size_t> write_order(std::span<const std::int32_t> values,
                                     std::span<const std::optional<std::int32_t>> published,
                                     Unwritten unwritten) {
  EBB_CHECK(values.size() == published.size());
  std::vector<Write> writes;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (published[i] == values[i]) continue;
    writes.push_back(plan_write(i, values[i], published[i], unwritten));
  }
  std::stable_sort(writes.begin(), writes.end());
  std::vector<std::size_t> order;
  order.reserve(writes.size());
  for (const Write& write : writes) order.push_back(write.index);
  return order;
}

}  // namespace ebb::ranking
