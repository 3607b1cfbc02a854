// Chooses values for pods whose ranks moved, such that few other pods need a write.
//
// Pods with equal ranks form a class, and a class has one value. A class may keep a value that is
// published for some of its pods. Two classes can both keep theirs if the values are at least as
// far apart as the classes, so that the classes between find room. So "value minus class number"
// must not decrease from one kept class to the next, and the most pods keep their values with the
// heaviest non-decreasing sequence. Finding it takes n log n steps.
#include "ranking/publication.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <tuple>

#include "base/check.h"

namespace ebb::ranking {
namespace {

// INT32_MIN is excluded, so that every value can be negated.
constexpr std::int64_t kMaxRankValue = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMinRankValue = -kMaxRankValue;

using Published = std::span<const std::optional<std::int32_t>>;
using Values = std::vector<std::optional<std::int64_t>>;  // by class

struct Classes {
  std::vector<std::int32_t> ranks;  // of each class, ascending
  std::vector<std::size_t> of_pods;
};

Classes classify(const Ranks& ranks) {
  Classes classes{ranks, {}};
  std::sort(classes.ranks.begin(), classes.ranks.end());
  classes.ranks.erase(std::unique(classes.ranks.begin(), classes.ranks.end()), classes.ranks.end());
  classes.of_pods.resize(ranks.size());
  std::transform(ranks.begin(), ranks.end(), classes.of_pods.begin(), [&](std::int32_t rank) {
    const auto found = std::lower_bound(classes.ranks.begin(), classes.ranks.end(), rank);
    return static_cast<std::size_t>(found - classes.ranks.begin());
  });
  return classes;
}

// A value that is published for pods of a class.
struct Claim {
  std::size_t of_class = 0;
  std::int64_t value = 0;
  std::size_t pods = 0;  // the number of these pods
  // Of the best sequence that ends here.
  std::size_t total = 0;
  const Claim* before = nullptr;

  [[nodiscard]] std::int64_t level() const { return value - static_cast<std::int64_t>(of_class); }
};

// By class, then by value, without claims that leave no room for the classes below or above.
std::vector<Claim> list_claims(const Classes& classes, Published published) {
  const std::int64_t highest_level =
      kMaxRankValue - static_cast<std::int64_t>(classes.ranks.size()) + 1;
  std::vector<Claim> claims;
  for (std::size_t i = 0; i < published.size(); ++i) {
    if (!published[i]) continue;
    const Claim claim{.of_class = classes.of_pods[i], .value = *published[i], .pods = 1};
    if (kMinRankValue <= claim.level() && claim.level() <= highest_level) claims.push_back(claim);
  }
  const auto key = [](const Claim& claim) { return std::tuple(claim.of_class, claim.value); };
  std::sort(claims.begin(), claims.end(),
            [&](const Claim& a, const Claim& b) { return key(a) < key(b); });
  std::vector<Claim> merged;
  for (const Claim& claim : claims) {
    if (!merged.empty() && key(merged.back()) == key(claim)) {
      ++merged.back().pods;
    } else {
      merged.push_back(claim);
    }
  }
  return merged;
}

// The best sequence that ends at or below a level (a Fenwick tree of maxima).
class BestUpTo {
 public:
  explicit BestUpTo(const std::vector<Claim>& claims) {
    for (const Claim& claim : claims) levels_.push_back(claim.level());
    std::sort(levels_.begin(), levels_.end());
    levels_.erase(std::unique(levels_.begin(), levels_.end()), levels_.end());
    best_.resize(levels_.size() + 1, nullptr);
  }

  [[nodiscard]] const Claim* find(std::int64_t level) const {
    const Claim* best = nullptr;
    for (std::size_t i = place_of(level); i > 0; i &= i - 1) best = better(best, best_[i]);
    return best;
  }

  void add(const Claim& claim) {
    for (std::size_t i = place_of(claim.level()); i < best_.size(); i += i & (~i + 1)) {
      best_[i] = better(best_[i], &claim);
    }
  }

 private:
  static const Claim* better(const Claim* a, const Claim* b) {
    if (a == nullptr || b == nullptr) return a == nullptr ? b : a;
    return b->total > a->total ? b : a;
  }
  [[nodiscard]] std::size_t place_of(std::int64_t level) const {
    const auto found = std::lower_bound(levels_.begin(), levels_.end(), level);
    return static_cast<std::size_t>(found - levels_.begin()) + 1;
  }

  std::vector<std::int64_t> levels_;
  std::vector<const Claim*> best_;
};

Values keep_most(std::vector<Claim> claims, std::size_t classes) {
  BestUpTo best(claims);
  for (auto first = claims.begin(); first != claims.end();) {
    const auto last = std::find_if(
        first, claims.end(), [&](const Claim& claim) { return claim.of_class != first->of_class; });
    // A class has one value, so its claims must not build on each other.
    for (auto claim = first; claim != last; ++claim) {
      claim->before = best.find(claim->level());
      claim->total = claim->pods + (claim->before == nullptr ? 0 : claim->before->total);
    }
    for (; first != last; ++first) best.add(*first);
  }
  Values kept(classes);
  const auto most = std::max_element(
      claims.begin(), claims.end(), [](const auto& a, const auto& b) { return a.total < b.total; });
  for (const Claim* claim = most == claims.end() ? nullptr : &*most; claim != nullptr;
       claim = claim->before) {
    kept[claim->of_class] = claim->value;
  }
  return kept;
}

// Fills the values between two kept ones, or beyond the last: with the ranks themselves if they
// fit; otherwise spread evenly, which leaves room for later values, or adjacent.
void fill(Values& values, std::size_t begin, std::size_t end,
          const std::vector<std::int32_t>& ranks) {
  if (begin == end) return;
  const bool floor = begin > 0;
  const bool ceiling = end < values.size();
  const std::int64_t below = floor ? *values[begin - 1] : kMinRankValue - 1;
  const std::int64_t above = ceiling ? *values[end] : kMaxRankValue + 1;
  const auto count = static_cast<std::int64_t>(end - begin);
  EBB_CHECK(above - below > count);
  const bool ranks_fit = below < ranks[begin] && ranks[end - 1] < above;
  for (std::size_t i = begin; i < end; ++i) {
    const auto step = static_cast<std::int64_t>(i - begin) + 1;
    if (ranks_fit) {
      values[i] = ranks[i];
    } else if (floor && ceiling) {
      values[i] = below + (above - below) * step / (count + 1);
    } else {
      values[i] = floor ? below + step : above - count - 1 + step;
    }
  }
}

}  // namespace

std::vector<std::int32_t> settle_values(const Ranks& ranks, Published published) {
  EBB_CHECK(ranks.size() == published.size());
  const Classes classes = classify(ranks);
  Values values = keep_most(list_claims(classes, published), classes.ranks.size());
  for (std::size_t i = 0; i < values.size();) {
    std::size_t end = i;
    while (end < values.size() && !values[end]) ++end;
    fill(values, i, end, classes.ranks);
    i = end + 1;
  }
  std::vector<std::int32_t> result(ranks.size());
  std::transform(
      classes.of_pods.begin(), classes.of_pods.end(), result.begin(),
      [&](std::size_t of_class) { return static_cast<std::int32_t>(*values[of_class]); });
  return result;
}

}  // namespace ebb::ranking
