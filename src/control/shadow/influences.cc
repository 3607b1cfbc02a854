#include "control/shadow/influences.h"

#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "control/cache/rank_carriers.h"
#include "control/cache/rollout.h"
#include "control/policy/picker_choice.h"
#include "control/policy/ranking_choice.h"
#include "control/shadow/copied_cluster.h"
#include "ranking/publication.h"
#include "ranking/published_ranks.h"
#include "ranking/rank_group.h"

namespace ebb::control::shadow {
namespace {

using Candidate = FollowedScaleDown::Candidate;

// Copying a record, or reading one for ranking.
constexpr std::uint64_t kUnitsPerRecord = 5;

order::NodeCounts count_others(FollowedScaleDown& down, const ReplicaSet& set,
                               const std::vector<Candidate*>& candidates, const Store& store) {
  order::NodeCounts counts;
  if (set.controller == nullptr) return counts;
  for (const auto& [node, count] : count_co_located(set, {}, store)) {
    counts.emplace(down.pool().intern(node.view()), count);
  }
  // The store does not count those that have left.
  for (const Candidate* candidate : candidates) {
    std::uint32_t& count = counts[candidate->pod.node];
    if (!candidate->left && count > 0) --count;
  }
  return counts;
}

// Deletion costs as a ranker would have written them. Costs of other writers stay.
void put_costs_on(const std::vector<Candidate*>& candidates, const ranking::Ranks& ranks) {
  constexpr auto kCost = ranking::Publish::kPodDeletionCost;
  const std::vector<std::optional<std::int32_t>> published(candidates.size());
  const std::vector<std::int32_t> values = ranking::settle_values(ranks, published);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    model::Pod& pod = candidates[i]->pod;
    if (!rank_on_pod(pod, kCost).foreign) put_on(pod, kCost, values[i]);
  }
}

// Nothing if the ranks are on the pods.
std::optional<ranking::PublishedRanks> rank(FollowedScaleDown& down, const RankingChoice& choice,
                                            bool ignores_deletion_costs, const Store& store,
                                            WorkBudget& budget) {
  const std::vector<Candidate*> candidates = down.candidates();
  for (Candidate* candidate : candidates) take_off_ours(candidate->pod);
  const std::vector<const model::Pod*> pods = down.pods();
  const CopiedCluster cluster(store, down);
  ranking::Settings settings = *choice.settings;
  // Recomputing after each removal and an exact order give the same result.
  if (settings.recomputes()) settings.exact = true;
  ranking::GroupRanks ranks = ranking::rank_group(settings, pods, cluster);
  budget.spend(ranks.effort.units + kUnitsPerRecord * (pods.size() + cluster.work()));
  const bool as_costs = settings.publish == ranking::Publish::kPodDeletionCost;
  if (as_costs && !ignores_deletion_costs) {
    put_costs_on(candidates, ranks.of_pods);
    return std::nullopt;
  }
  ranking::PublishedRanks published;
  published.of_pods = std::move(ranks.of_pods);
  published.recompute = settings.recomputes();
  published.carrier =
      fmt::format("DownscalePolicy {} (computed for the comparison)", choice.policy);
  return published;
}

std::vector<const model::PodGroupCost*> costs_for(const ReplicaSet& set, const Store& store) {
  std::vector<const model::PodGroupCost*> costs;
  const auto add = [&](std::string_view kind, std::string_view name) {
    for (const GroupCost* cost : store.group_costs_for(set.namespace_name.view(), kind, name)) {
      costs.push_back(cost);
    }
  };
  add("ReplicaSet", set.name.view());
  if (set.controller != nullptr) add(set.controller->kind.view(), set.controller->name.view());
  return costs;
}

RankAdvice advise(FollowedScaleDown& down, const ReplicaSet& set, const ControllerContext& context,
                  WorkBudget& budget) {
  const Store& store = context.store;
  const Policy* const policy = policy_for(set, store, context.policies);
  const bool ignores = policy != nullptr && policy->ignores_deletion_costs;
  const std::size_t surplus = down.surplus();
  if (!context.gates.on(model::Gate::kPodCostRanking)) {
    return {.foreign_costs_count = !ignores, .at_once = surplus};
  }
  if (policy != nullptr) budget.spend(units_to_parse(policy->ranking.view().size()));
  const auto choice = choose_ranking(set, store, context.policies);
  const bool rolling = is_rolling(set, store);
  std::optional<ranking::PublishedRanks> as_if;
  if (choice && choice->settings && (!rolling || choice->settings->during_rollouts)) {
    as_if = rank(down, *choice, ignores, store, budget);
  }
  const std::vector<const model::Pod*> pods = down.pods();
  const auto costs = costs_for(set, store);
  return advise_on_ranks({.set = set,
                          .active = pods,
                          .surplus = surplus,
                          .all_go = down.set().replicas <= 0,
                          .costs = costs,
                          .as_if = as_if ? &*as_if : nullptr,
                          .choice = choice,
                          .rolling = rolling,
                          .policies_known = store.seen(Resource::kPolicies) != 0,
                          .ignores_deletion_costs = ignores,
                          .gates = context.gates});
}

}  // namespace

FollowedScaleDown::Influences gather_influences(FollowedScaleDown& down, const ReplicaSet& set,
                                                const ControllerContext& context,
                                                WorkBudget& budget) {
  FollowedScaleDown::Influences influences;
  influences.ranks = advise(down, set, context, budget);
  const std::vector<Candidate*> candidates = down.candidates();
  budget.spend(kUnitsPerRecord * candidates.size());
  influences.has_ranks = !influences.ranks.ranks.empty();
  for (std::size_t i = 0; influences.has_ranks && i < candidates.size(); ++i) {
    candidates[i]->rank = influences.ranks.ranks[i];
  }
  influences.others = count_others(down, set, candidates, context.store);
  return influences;
}

}  // namespace ebb::control::shadow
