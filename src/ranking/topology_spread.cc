// TopologySpread: the nth oldest pod of a domain has rank n. Taking the highest ranks takes from
// the domains with most pods, and as long as the highest go, the ranks of the others stay: nothing
// has to be recomputed.
//
// Pods that are on no node, or on one that is unknown or has no such label, are in no domain we
// know. Together they form one of their own: counted into another, they would make it look fuller
// than it is; each by itself would have rank 1 and be kept for good; as one they shrink like any.
#include <algorithm>
#include <iterator>

#include <boost/unordered/unordered_flat_map.hpp>

#include "base/check.h"
#include "ranking/age_order.h"
#include "ranking/label_key.h"
#include "ranking/rank_by.h"
#include "schema/json.h"

namespace ebb::ranking {
namespace {

// Numbers of the domains of the pods; equal numbers, one domain.
std::vector<std::size_t> find_domains(Pods pods, const Args& args, const Surroundings& around) {
  LabelKey key(schema::text_at(args, {"topologyKey"}));
  boost::unordered_flat_map<model::Interned, std::size_t> numbers;
  constexpr std::size_t kNoDomain = 0;
  std::vector<std::size_t> domains;
  domains.reserve(pods.size());
  for (const model::Pod* pod : pods) {
    const model::Interned* value = pod->node.empty() ? nullptr : key.find(around.node(pod->node));
    domains.push_back(value == nullptr ? kNoDomain
                                       : numbers.emplace(*value, numbers.size() + 1).first->second);
  }
  return domains;
}

class SpreadShrinking : public Shrinking {
 public:
  SpreadShrinking(Pods pods, const Args& args, const Surroundings& around)
      : domain_of_(find_domains(pods, args, around)), lines_(pods.size() + 1) {
    ranks_.resize(pods.size());
    for (const std::size_t pod : oldest_first(pods)) {
      auto& line = lines_[domain_of_[pod]];
      line.push_back(pod);
      ranks_[pod] = static_cast<std::int32_t>(line.size());
    }
  }

  void remove(std::size_t pod) override {
    auto& line = lines_[domain_of_[pod]];
    const auto place = line.begin() + ranks_[pod] - 1;
    EBB_CHECK(*place == pod);
    for (auto younger = std::next(place); younger != line.end(); ++younger) --ranks_[*younger];
    line.erase(place);
  }

 private:
  std::vector<std::size_t> domain_of_;
  std::vector<std::vector<std::size_t>> lines_;  // by domain, the oldest first
};

}  // namespace

Ranks rank_by_topology_spread(Pods pods, const Args& args, const Surroundings& around) {
  const std::vector<std::size_t> domain_of = find_domains(pods, args, around);
  std::vector<std::int32_t> seen(pods.size() + 1, 0);
  Ranks ranks(pods.size());
  for (const std::size_t pod : oldest_first(pods)) ranks[pod] = ++seen[domain_of[pod]];
  return ranks;
}

ShrinkingPtr shrink_by_topology_spread(Pods pods, const Args& args, const Surroundings& around) {
  return std::make_unique<SpreadShrinking>(pods, args, around);
}

}  // namespace ebb::ranking
