#include "ranking/exact.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <tuple>

#include "ranking/shrinking.h"
#include "ranking/weighed_sum.h"

namespace ebb::ranking {
namespace {

using model::Pod;

// Rules 1 to 3: what goes before anything is ranked. The smaller goes first.
std::tuple<bool, int, bool> usefulness(const Pod& pod) {
  int phase = 0;
  if (pod.phase == model::Phase::kUnknown) phase = 1;
  if (pod.phase == model::Phase::kRunning) phase = 2;
  return {!pod.node.empty(), phase, pod.ready};
}

// Who goes first of those with equal ranks.
bool goes_before(const Pod& a, const Pod& b) {
  if (usefulness(a) != usefulness(b)) return usefulness(a) < usefulness(b);
  if (a.created != b.created) {
    if (a.created.is_zero() || b.created.is_zero()) return a.created.is_zero();
    return a.created > b.created;
  }
  return a.uid.view() < b.uid.view();
}

class Removal {
 public:
  Removal(const Settings& settings, Pods pods, const Surroundings& around,
          std::span<const Ranks> now)
      : left_(pods.size()), tier_(pods.size(), 0), fixed_(pods.size(), 0) {
    std::iota(left_.begin(), left_.end(), std::size_t{0});
    std::sort(left_.begin(), left_.end(),
              [&](std::size_t a, std::size_t b) { return goes_before(*pods[a], *pods[b]); });
    for (std::size_t i = 1; i < left_.size(); ++i) {
      const bool same = usefulness(*pods[left_[i]]) == usefulness(*pods[left_[i - 1]]);
      tier_[left_[i]] = tier_[left_[i - 1]] + (same ? 0 : 1);
    }
    for (std::size_t i = 0; i < settings.strategies.size(); ++i) {
      const Weighed& how = settings.strategies[i];
      if (how.strategy->shrink != nullptr) {
        moving_.push_back({&how, how.strategy->shrink(pods, how.args, around)});
        continue;
      }
      for (std::size_t pod = 0; pod < pods.size(); ++pod) fixed_[pod] += weigh(now[i][pod], how);
    }
  }

  // The index of the one that goes next.
  std::size_t take() {
    const auto next = find_next();
    const std::size_t pod = *next;
    left_.erase(next);
    for (const Moving& moving : moving_) moving.ranks->remove(pod);
    return pod;
  }

 private:
  struct Moving {
    const Weighed* how;
    std::unique_ptr<Shrinking> ranks;
  };

  [[nodiscard]] std::int64_t sum_of(std::size_t pod) const {
    std::int64_t sum = fixed_[pod];
    for (const Moving& moving : moving_) sum += weigh(moving.ranks->ranks()[pod], *moving.how);
    return sum;
  }

  // The first of the highest among those that are as useless as the first.
  [[nodiscard]] std::vector<std::size_t>::const_iterator find_next() const {
    auto best = left_.begin();
    std::int64_t highest = sum_of(*best);
    const std::size_t tier = tier_[*best];
    for (auto next = std::next(best); next != left_.end() && tier_[*next] == tier; ++next) {
      const std::int64_t sum = sum_of(*next);
      if (sum > highest) {
        highest = sum;
        best = next;
      }
    }
    return best;
  }

  std::vector<std::size_t> left_;    // in the order that decides between equal ranks
  std::vector<std::size_t> tier_;    // equal numbers, equally useful
  std::vector<std::int64_t> fixed_;  // the part of the sums that no removal changes
  std::vector<Moving> moving_;
};

}  // namespace

Ranks rank_exactly(const Settings& settings, Pods pods, const Surroundings& around,
                   std::span<const Ranks> now) {
  Removal removal(settings, pods, around, now);
  Ranks ranks(pods.size());
  for (std::size_t left = pods.size(); left > 0; --left) {
    ranks[removal.take()] = static_cast<std::int32_t>(left);
  }
  return ranks;
}

}  // namespace ebb::ranking
