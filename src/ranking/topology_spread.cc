// TopologySpread: the nth oldest pod of a domain has rank n. Taking the highest ranks takes from
// the domains with most pods, and does not change the other ranks: nothing has to be recomputed.
//
// Pods without a node, or on a node that is unknown or has no such label, have no known domain.
// Together they form one domain. Counted into another one, they would make it look fuller than it
// is; each by itself would have rank 1 and never go; as one domain they shrink like any other.
#include <algorithm>
#include <iterator>

#include <boost/unordered/unordered_flat_map.hpp>

#include "base/check.h"
#include "ranking/age_order.h"
#include "ranking/label_key.h"
#include "ranking/rank_by.h"
#include "schema/core/json.h"

namespace ebb::ranking {
namespace {

// The domain number of each pod; equal numbers mean the same domain.
std::vector<std::size_t> find_domains(Pods pods, const Args& args, const ClusterReader& cluster) {
  LabelKey key(schema::text_at(args, {"topologyKey"}));
  boost::unordered_flat_map<model::Interned, std::size_t> numbers;
  constexpr std::size_t kNoDomain = 0;
  std::vector<std::size_t> domains(pods.size());
  std::transform(pods.begin(), pods.end(), domains.begin(), [&](const model::Pod* pod) {
    const model::Interned* value = pod->node.empty() ? nullptr : key.find(cluster.node(pod->node));
    return value == nullptr ? kNoDomain : numbers.emplace(*value, numbers.size() + 1).first->second;
  });
  return domains;
}

class SpreadShrinking : public Shrinking {
 public:
  SpreadShrinking(Pods pods, const Args& args, const ClusterReader& cluster)
      : domain_of_(find_domains(pods, args, cluster)), lines_(pods.size() + 1) {
    ranks_.resize(pods.size());
    for (const std::size_t pod : oldest_first(pods)) {
      auto& line = lines_[domain_of_[pod]];
      line.push_back(pod);
      ranks_[pod] = static_cast<std::int32_t>(line.size());
    }
  }

  // Each removal moves up the pods behind it in its domain.
  [[nodiscard]] std::uint64_t steps_to_remove_all() const override {
    std::uint64_t steps = 0;
    for (const auto& line : lines_) steps += line.size() * line.size() / 2;
    return steps;
  }

 private:
  void take_out(std::size_t pod) override {
    auto& line = lines_[domain_of_[pod]];
    const auto place = line.begin() + ranks_[pod] - 1;
    EBB_CHECK(*place == pod);
    for (auto younger = std::next(place); younger != line.end(); ++younger) {
      change(*younger, ranks_[*younger] - 1);
    }
    line.erase(place);
  }

  std::vector<std::size_t> domain_of_;
  std::vector<std::vector<std::size_t>> lines_;  // by domain, the oldest first
};

}  // namespace

Ranks rank_by_topology_spread(Pods pods, const Args& args, const ClusterReader& cluster) {
  const std::vector<std::size_t> domain_of = find_domains(pods, args, cluster);
  std::vector<std::int32_t> seen(pods.size() + 1, 0);
  Ranks ranks(pods.size());
  for (const std::size_t pod : oldest_first(pods)) ranks[pod] = ++seen[domain_of[pod]];
  return ranks;
}

ShrinkingPtr shrink_by_topology_spread(Pods pods, const Args& args, const ClusterReader& cluster) {
  return std::make_unique<SpreadShrinking>(pods, args, cluster);
}

}  // namespace ebb::ranking
