#include "ranking/published_ranks.h"

#include <algorithm>
#include <functional>
#include <optional>

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

struct Carriers {
  std::vector<Carrier> in_order;  // of precedence
  std::size_t unread = 0;         // PodGroupCosts beyond the limit
};

bool owned_by(const PodGroupCost& group, std::string_view kind, model::Interned name,
              model::Interned uid) {
  return group.owner_kind.view() == kind && group.owner_name == name &&
         (group.owner_uid.empty() || group.owner_uid == uid);
}

bool belongs_to(const PodGroupCost& group, const ReplicaSet& set) {
  if (group.namespace_name != set.namespace_name) return false;
  return owned_by(group, "ReplicaSet", set.name, set.uid) ||
         (set.controller != nullptr && set.controller->kind.view() == "Deployment" &&
          owned_by(group, "Deployment", set.controller->name, set.controller->uid));
}

std::optional<std::int32_t> rank_in(const PodGroupCost& group, const Pod& pod) {
  const auto found = std::lower_bound(group.costs.begin(), group.costs.end(), pod.name.view(),
                                      [](const PodGroupCost::Entry& entry, std::string_view name) {
                                        return entry.pod.view() < name;
                                      });
  if (found == group.costs.end() || found->pod.view() != pod.name.view()) return std::nullopt;
  return found->cost;
}

// A fixed order: the ReplicaSet's own before its Deployment's, then by name.
bool precedes(const PodGroupCost* a, const PodGroupCost* b) {
  const bool a_own = a->owner_kind.view() == "ReplicaSet";
  const bool b_own = b->owner_kind.view() == "ReplicaSet";
  return a_own != b_own ? a_own : a->name.view() < b->name.view();
}

Carriers list_carriers(const PublishedQuestion& question) {
  std::vector<const PodGroupCost*> groups;
  for (const PodGroupCost* group : question.costs) {
    if (belongs_to(*group, question.set)) groups.push_back(group);
  }
  const std::size_t read = std::min(groups.size(), kMaxGroupCosts);
  std::partial_sort(groups.begin(), groups.begin() + static_cast<std::ptrdiff_t>(read),
                    groups.end(), precedes);
  Carriers all{.in_order = {}, .unread = groups.size() - read};
  std::vector<Carrier>& carriers = all.in_order;
  for (std::size_t i = 0; i < read; ++i) {
    const PodGroupCost* const group = groups[i];
    carriers.push_back({fmt::format("PodGroupCost {}", group->name.view()),
                        [group](const Pod& pod) { return rank_in(*group, pod); }, group});
  }
  // Ranks on pods do not say which pods they were computed for.
  if (question.must_recompute) return all;
  carriers.push_back({"status.cost", [](const Pod& pod) { return pod.status_rank; }});
  carriers.push_back({fmt::format("annotation {}", model::kCostRankAnnotation),
                      [](const Pod& pod) { return pod.annotated_rank; }});
  return all;
}

// Why the ranks of a group that may rank every pod cannot be used; empty if they can.
// `hash` is that of the pods once it was needed.
std::string find_staleness(const PodGroupCost& group, const PublishedQuestion& question,
                           std::string& hash) {
  // The status says for which pods the ranks were computed. If that does not matter, ranks count as
  // soon as they exist, even before their status. The policy knows whether it matters, even if the
  // status still belongs to earlier ranks for which it did not.
  if (!group.recompute && !question.must_recompute) return {};
  if (group.observed_generation != 0 && group.observed_generation != group.generation) {
    return fmt::format("has a status of generation {}, but its generation is {}",
                       group.observed_generation, group.generation);
  }
  if (!group.recompute) {
    return "does not say that its ranks are recomputed after each removal";
  }
  if (hash.empty()) hash = pod_set_hash(question.pods);
  if (group.pod_set_hash.view() != hash) {
    return "was computed for other pods than there are now";
  }
  return {};
}

}  // namespace

PublishedRanks find_published_ranks(const PublishedQuestion& question) {
  PublishedRanks result;
  std::string hash;
  const Carriers carriers = list_carriers(question);
  for (const Carrier& carrier : carriers.in_order) {
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
    if (carrier.group != nullptr) problem = find_staleness(*carrier.group, question, hash);
    result.stale = result.stale || !problem.empty();
    if (problem.empty() && missing > 0) {
      problem = fmt::format("does not rank {} of the Ready pods", missing);
    }
    if (problem.empty()) {
      result.of_pods = std::move(ranks);
      result.carrier = carrier.name;
      return result;
    }
    result.incomplete.push_back(fmt::format("{} {}, so it is not used", carrier.name, problem));
  }
  if (carriers.unread > 0) {
    result.incomplete.push_back(fmt::format("of {} PodGroupCosts only the first {} are read",
                                            kMaxGroupCosts + carriers.unread, kMaxGroupCosts));
  }
  return result;
}

}  // namespace ebb::ranking
