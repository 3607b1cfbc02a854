#include "ranking/published_ranks.h"

#include <algorithm>
#include <functional>
#include <optional>

#include <boost/unordered/unordered_flat_map.hpp>
#include <fmt/format.h>

#include "ranking/publication.h"

namespace ebb::ranking {
namespace {

using model::Pod;
using model::PodGroupCost;
using model::ReplicaSet;

using RankOf = std::function<std::optional<std::int32_t>(const Pod&)>;

struct Carrier {
  std::string name;
  RankOf rank_of;
  const PodGroupCost* group = nullptr;  // null: the pods themselves
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
std::vector<Carrier> list_carriers(const PublishedQuestion& question) {
  std::vector<const PodGroupCost*> groups;
  for (const PodGroupCost* group : question.costs) {
    if (belongs_to(*group, question.set)) groups.push_back(group);
  }
  // The ReplicaSet's own before its Deployment's, then by name: a fixed order.
  std::sort(groups.begin(), groups.end(), [](const PodGroupCost* a, const PodGroupCost* b) {
    const bool a_own = a->owner_kind.view() == "ReplicaSet";
    const bool b_own = b->owner_kind.view() == "ReplicaSet";
    return a_own != b_own ? a_own : a->name.view() < b->name.view();
  });
  std::vector<Carrier> carriers;
  for (const PodGroupCost* group : groups) {
    carriers.push_back(
        {fmt::format("PodGroupCost {}", group->name.view()), rank_of_group(*group), group});
  }
  // What pods carry themselves says nothing about the pods that it was worked out for.
  if (question.must_recompute) return carriers;
  carriers.push_back({"status.cost", [](const Pod& pod) { return pod.status_rank; }});
  carriers.push_back({fmt::format("annotation {}", model::kCostRankAnnotation),
                      [](const Pod& pod) { return pod.annotated_rank; }});
  return carriers;
}

// Why the ranks of a group cannot be used although it may rank every pod; empty: they can.
std::string find_staleness(const PodGroupCost& group, const PublishedQuestion& question) {
  // The status says for which pods ranks were worked out. Where that does not matter, ranks count
  // as soon as they are there, also before a status of theirs. Whether it matters, the policy knows
  // even if the status is still that of earlier ranks, for which it did not.
  if (!group.recompute && !question.must_recompute) return {};
  if (group.observed_generation != 0 && group.observed_generation != group.generation) {
    return fmt::format("has a status of generation {} and is at {}", group.observed_generation,
                       group.generation);
  }
  if (!group.recompute) {
    return "does not say that its ranks are worked out anew after each removal";
  }
  if (group.pod_set_hash.view() != pod_set_hash(question.pods)) {
    return "was worked out for other pods than there are now";
  }
  return {};
}

}  // namespace

PublishedRanks find_published_ranks(const PublishedQuestion& question) {
  PublishedRanks result;
  for (const Carrier& carrier : list_carriers(question)) {
    const bool recompute = carrier.group != nullptr && carrier.group->recompute;
    result.recompute = result.recompute || recompute;
    std::vector<std::int32_t> ranks;
    ranks.reserve(question.pods.size());
    std::size_t ranked = 0;
    std::size_t missing = 0;
    for (const Pod* pod : question.pods) {
      const auto rank = carrier.rank_of(*pod);
      ranks.push_back(rank.value_or(0));
      if (rank) ++ranked;
      if (!rank && pod->serving()) ++missing;
    }
    if (ranked == 0 && !recompute) continue;
    std::string problem;
    if (carrier.group != nullptr) problem = find_staleness(*carrier.group, question);
    result.stale = result.stale || !problem.empty();
    if (problem.empty() && missing > 0) {
      problem = fmt::format("does not rank {} of the Ready pods", missing);
    }
    if (problem.empty()) {
      result.of_pods = std::move(ranks);
      result.carrier = carrier.name;
      break;
    }
    result.incomplete.push_back(fmt::format("{} {}, so it is not used", carrier.name, problem));
  }
  return result;
}

}  // namespace ebb::ranking
