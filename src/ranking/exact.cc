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

// Rules 1 to 3, which apply before ranks. The smaller value goes first.
std::tuple<bool, int, bool> usefulness(const Pod& pod) {
  int phase = 0;
  if (pod.phase == model::Phase::kUnknown) phase = 1;
  if (pod.phase == model::Phase::kRunning) phase = 2;
  return {!pod.node.empty(), phase, pod.ready};
}

// The tie-break for equal ranks, after rules 1 to 3.
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
  Removal(const Settings& settings, Pods pods, const ClusterReader& cluster,
          std::span<const Ranks> now)
      : fixed_(pods.size(), 0), sums_(pods.size()) {
    for (std::size_t i = 0; i < settings.strategies.size(); ++i) {
      const Weighed& how = settings.strategies[i];
      if (how.strategy->shrink != nullptr) {
        moving_.push_back({&how, shrink(how, pods, cluster)});
        continue;
      }
      for (std::size_t pod = 0; pod < pods.size(); ++pod) fixed_[pod] += weigh(now[i][pod], how);
    }
    for (std::size_t pod = 0; pod < pods.size(); ++pod) add_up(pod);
    std::vector<std::size_t> order(pods.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return goes_before(*pods[b], *pods[a]); });
    const Pod* last = nullptr;
    for (const std::size_t pod : order) {
      if (last == nullptr || usefulness(*last) != usefulness(*pods[pod])) tiers_.emplace_back();
      tiers_.back().push_back(pod);
      last = pods[pod];
    }
  }

  // Removes and returns the index of the next victim.
  std::size_t take() {
    Tier& tier = tiers_.back();
    const auto next = find_next(tier);
    const std::size_t pod = *next;
    tier.erase(next);
    if (tier.empty()) tiers_.pop_back();
    for (const auto& ranks : shrinking_) {
      ranks->remove(pod);
      for (const std::size_t changed : ranks->changed()) add_up(changed);
    }
    return pod;
  }

  // The steps needed to take all pods.
  [[nodiscard]] std::uint64_t steps() const {
    const std::uint64_t pods = sums_.size();
    std::uint64_t steps = pods * pods / 2;
    for (const auto& ranks : shrinking_) steps += ranks->steps_to_remove_all();
    return steps;
  }

 private:
  using Tier = std::vector<std::size_t>;
  struct Moving {
    const Weighed* how;
    const Shrinking* ranks;
  };

  // Shared by all entries with an equal strategy.
  const Shrinking* shrink(const Weighed& how, Pods pods, const ClusterReader& cluster) {
    for (const Moving& earlier : moving_) {
      if (earlier.how->strategy == how.strategy && earlier.how->args == how.args) {
        return earlier.ranks;
      }
    }
    return shrinking_.emplace_back(how.strategy->shrink(pods, how.args, cluster)).get();
  }

  void add_up(std::size_t pod) {
    std::int64_t sum = fixed_[pod];
    for (const Moving& moving : moving_) sum += weigh(moving.ranks->ranks()[pod], *moving.how);
    sums_[pod] = sum;
  }

  // The last of the highest ranks.
  [[nodiscard]] Tier::const_iterator find_next(const Tier& tier) const {
    auto best = std::prev(tier.end());
    std::int64_t highest = sums_[*best];
    for (auto next = best; next != tier.begin();) {
      const std::int64_t sum = sums_[*--next];
      if (sum > highest) {
        highest = sum;
        best = next;
      }
    }
    return best;
  }

  // Pods that are equal under rules 1 to 3. Last is what goes first, both among the tiers and, if
  // ranks are equal, within one: taking a pod then moves few others.
  std::vector<Tier> tiers_;
  std::vector<std::int64_t> fixed_;  // the part of the sums that removals do not change
  std::vector<std::int64_t> sums_;
  std::vector<std::unique_ptr<Shrinking>> shrinking_;
  std::vector<Moving> moving_;
};

}  // namespace

std::optional<Ranks> rank_exactly(const Settings& settings, Pods pods, const ClusterReader& cluster,
                                  std::span<const Ranks> now, Effort& effort) {
  // This many steps cost about as much as reading one pod.
  constexpr std::uint64_t kStepsPerUnit = 32;
  const std::uint64_t count = pods.size();
  const std::uint64_t looks = count * count / 2 * settings.strategies.size();
  if (settings.bounded && looks > kMaxExactSteps) return std::nullopt;
  Removal removal(settings, pods, cluster, now);
  const std::uint64_t steps = std::max(looks, removal.steps());
  if (settings.bounded && steps > kMaxExactSteps) return std::nullopt;
  effort.units += steps / kStepsPerUnit;
  Ranks ranks(pods.size());
  for (std::size_t left = pods.size(); left > 0; --left) {
    ranks[removal.take()] = static_cast<std::int32_t>(left);
  }
  return ranks;
}

}  // namespace ebb::ranking
