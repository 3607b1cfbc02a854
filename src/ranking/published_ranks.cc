#include "ranking/published_ranks.h"

#include <algorithm>
#include <functional>
#include <optional>

#include <boost/unordered/unordered_flat_map.hpp>
#include <fmt/format.h>

namespace ebb::ranking {
namespace {

using model::Pod;
using model::PodGroupCost;
using model::ReplicaSet;

using RankOf = std::function<std::optional<std::int32_t>(const Pod&)>;

struct Carrier {
  std::string name;
  RankOf rank_of;
};

bool owned_by(const PodGroupCost& group, std::string_view kind, model::Interned name,
              model::Interned uid) {
  return group.owner_kind.view() == kind && group.owner_name == name &&
         (group.owner_uid.empty() || group.owner_uid == uid);
}

bool belongs_to(const PodGroupCost& group, const ReplicaSet& set) {
  if (group.name_space != set.name_space) return false;
  return owned_by(group, "ReplicaSet", set.name, set.uid) ||
         (set.controller != nullptr && set.controller->kind.view() == "Deployment" &&
          owned_by(group, "Deployment", set.controller->name, set.controller->uid));
}

RankOf rank_of_group(const PodGroupCost& group) {
  boost::unordered_flat_map<model::Interned, std::int32_t> costs;
  for (const PodGroupCost::Entry& entry : group.costs) costs.emplace(entry.pod, entry.cost);
  return [costs = std::move(costs)](const Pod& pod) -> std::optional<std::int32_t> {
    const auto found = costs.find(pod.name);
    return found == costs.end() ? std::nullopt : std::optional(found->second);
  };
}

// In the order in which they are asked.
std::vector<Carrier> list_carriers(const ReplicaSet& set, std::span<const PodGroupCost> costs) {
  std::vector<const PodGroupCost*> groups;
  for (const PodGroupCost& group : costs) {
    if (belongs_to(group, set)) groups.push_back(&group);
  }
  // The ReplicaSet's own before its Deployment's, then by name: a fixed order.
  std::sort(groups.begin(), groups.end(), [](const PodGroupCost* a, const PodGroupCost* b) {
    const bool a_own = a->owner_kind.view() == "ReplicaSet";
    const bool b_own = b->owner_kind.view() == "ReplicaSet";
    return a_own != b_own ? a_own : a->name.view() < b->name.view();
  });
  std::vector<Carrier> carriers;
  for (const PodGroupCost* group : groups) {
    carriers.push_back({fmt::format("PodGroupCost {}", group->name.view()), rank_of_group(*group)});
  }
  carriers.push_back({"status.cost", [](const Pod& pod) { return pod.status_rank; }});
  carriers.push_back({fmt::format("annotation {}", model::kCostRankAnnotation),
                      [](const Pod& pod) { return pod.annotated_rank; }});
  return carriers;
}

}  // namespace

PublishedRanks find_published_ranks(const ReplicaSet& set, std::span<const Pod* const> pods,
                                    std::span<const PodGroupCost> costs) {
  PublishedRanks result;
  for (const Carrier& carrier : list_carriers(set, costs)) {
    std::vector<std::int32_t> ranks;
    ranks.reserve(pods.size());
    std::size_t ranked = 0;
    std::size_t missing = 0;
    for (const Pod* pod : pods) {
      const auto rank = carrier.rank_of(*pod);
      ranks.push_back(rank.value_or(0));
      if (rank) ++ranked;
      if (!rank && pod->serving()) ++missing;
    }
    if (ranked == 0) continue;
    if (missing == 0) {
      result.of_pods = std::move(ranks);
      result.carrier = carrier.name;
      break;
    }
    result.incomplete.push_back(fmt::format(
        "{} does not rank {} of the Ready pods, so it is not used", carrier.name, missing));
  }
  return result;
}

}  // namespace ebb::ranking
