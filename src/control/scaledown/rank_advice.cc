#include "control/scaledown/rank_advice.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "control/cache/rollout.h"
#include "control/policy/picker_choice.h"

namespace ebb::control {
namespace {

using model::Pod;

// Default wait for ranks that are recomputed after each removal, if the policy sets none.
constexpr std::int32_t kRecomputeSeconds = 30;

// Finding a pod among the hundred thousand of a large PodGroupCost takes about a microsecond.
constexpr std::uint64_t kUnitsPerLookup = 10;

const ranking::Settings* settings_of(const RankQuestion& question) {
  return question.choice ? question.choice->settings.get() : nullptr;
}

// Costs that a policy publishes as deletion costs are not ranks, but they decide all the same.
bool publishes_deletion_costs(const ranking::Settings* settings) {
  return settings != nullptr && settings->publish == ranking::Publish::kPodDeletionCost;
}

// Deletion costs are the carrier that counts, unless some pods have none.
void check_deletion_costs(const RankQuestion& question, RankAdvice& advice) {
  advice.outcome = RankOutcome::kRanked;
  advice.own_costs_count = true;
  advice.carrier = fmt::format("annotation {}", model::kDeletionCostAnnotation);
  std::string problem;
  if (question.gates.on(model::Gate::kPodDeletionCost)) {
    const auto missing =
        std::count_if(question.active.begin(), question.active.end(),
                      [](const Pod* pod) { return pod->serving() && !pod->deletion_cost_valid; });
    if (missing == 0) return;
    problem = fmt::format(
        "{} is missing on {} of the Ready pods, so the ranker's deletion costs are not used",
        advice.carrier, missing);
    advice.outcome = RankOutcome::kIncomplete;
  } else {
    problem = "costs are published as deletion costs, but feature gate PodDeletionCost is off";
    advice.outcome = RankOutcome::kBadSettings;
  }
  advice.own_costs_count = false;
  advice.carrier.clear();
  advice.problems.push_back(std::move(problem));
}

// Finds the published ranks and checks whether they can be used.
void judge_ranks(const RankQuestion& question, RankAdvice& advice) {
  const ranking::Settings* const settings = settings_of(question);
  advice.own_costs_count = false;
  advice.recompute = settings != nullptr && settings->recomputes();
  ranking::PublishedRanks found =
      question.as_if != nullptr ? *question.as_if
                                : ranking::find_published_ranks({question.set, question.active,
                                                                 question.costs, advice.recompute});
  advice.recompute = advice.recompute || found.recompute;
  advice.problems = std::move(found.incomplete);
  advice.carrier = std::move(found.carrier);
  advice.ranks = std::move(found.of_pods);
  if (!advice.carrier.empty()) {
    advice.outcome = RankOutcome::kRanked;
  } else if (question.choice && settings == nullptr) {
    advice.outcome = RankOutcome::kBadSettings;
    advice.problems.push_back(question.choice->problem);
  } else if (publishes_deletion_costs(settings)) {
    check_deletion_costs(question, advice);
  } else if (found.stale) {
    advice.outcome = RankOutcome::kStale;
  } else if (!advice.problems.empty()) {
    advice.outcome = RankOutcome::kIncomplete;
  } else if (question.choice) {
    advice.outcome = RankOutcome::kUnpublished;
    advice.problems.push_back(fmt::format("DownscalePolicy {} asks for ranks, but there are none",
                                          question.choice->policy));
  }
}

Nanoseconds longest_wait_ns(const RankQuestion& question, const RankAdvice& advice) {
  const ranking::Settings* const settings = settings_of(question);
  const std::int32_t by_default = advice.recompute ? kRecomputeSeconds : 0;
  const std::int32_t seconds =
      settings == nullptr ? by_default : settings->wait_seconds.value_or(by_default);
  return std::max(seconds, 0) * kNanosecondsPerSecond;
}

}  // namespace

RankAdvice advise_on_ranks(const RankQuestion& question) {
  RankAdvice advice{.foreign_costs_count = !question.ignores_deletion_costs,
                    .at_once = question.surplus};
  if (!question.gates.on(model::Gate::kPodCostRanking)) return advice;
  judge_ranks(question, advice);
  if (!advice.outcome) {
    advice.own_costs_count = !question.policies_known;
    return advice;
  }
  if (question.choice) advice.policy = question.choice->policy;

  const ranking::Settings* const settings = settings_of(question);
  if (question.rolling && (settings == nullptr || !settings->during_rollouts)) {
    return {.outcome = RankOutcome::kRollout,
            .policy = std::move(advice.policy),
            .own_costs_count = false,
            .foreign_costs_count = !question.ignores_deletion_costs,
            .at_once = question.surplus};
  }
  const auto unready =
      static_cast<std::size_t>(std::count_if(question.active.begin(), question.active.end(),
                                             [](const Pod* pod) { return !pod->serving(); }));
  if (question.all_go || question.surplus <= unready) {
    if (*advice.outcome != RankOutcome::kRanked) advice.outcome = RankOutcome::kNotNeeded;
    return advice;
  }
  if (advice.recompute) advice.at_once = std::max<std::size_t>(unready, 1);
  const bool worth_it = *advice.outcome == RankOutcome::kUnpublished ||
                        *advice.outcome == RankOutcome::kIncomplete ||
                        *advice.outcome == RankOutcome::kStale;
  if (worth_it) {
    advice.worth_wait_ns = longest_wait_ns(question, advice);
    advice.needing_none = unready;
  }
  return advice;
}

RankAdvice advise_on_ranks(const ReplicaSet& set, std::span<const Pod* const> active,
                           std::size_t surplus, const Store& store, model::FeatureGates gates,
                           WorkBudget& budget) {
  const Policy* const policy = policy_for(set, store, PolicyView::kActing);
  const bool ignores_deletion_costs = policy != nullptr && policy->ignores_deletion_costs;
  if (!gates.on(model::Gate::kPodCostRanking)) {
    return {.foreign_costs_count = !ignores_deletion_costs, .at_once = surplus};
  }
  std::vector<const model::PodGroupCost*> costs;
  const auto add = [&](std::string_view kind, std::string_view name) {
    for (const GroupCost* cost : store.group_costs_for(set.namespace_name.view(), kind, name)) {
      costs.push_back(cost);
    }
  };
  add("ReplicaSet", set.name.view());
  if (set.controller != nullptr) add(set.controller->kind.view(), set.controller->name.view());
  const std::size_t read = std::min(costs.size(), ranking::kMaxGroupCosts);
  budget.spend(costs.size() + kUnitsPerLookup * read * active.size());
  if (policy != nullptr) budget.spend(units_to_parse(policy->ranking.view().size()));
  return advise_on_ranks({.set = set,
                          .active = active,
                          .surplus = surplus,
                          .all_go = set.replicas <= 0,
                          .costs = costs,
                          .choice = choose_ranking(set, store),
                          .rolling = is_rolling(set, store),
                          .policies_known = store.seen(Resource::kPolicies) != 0,
                          .ignores_deletion_costs = ignores_deletion_costs,
                          .gates = gates});
}

}  // namespace ebb::control
