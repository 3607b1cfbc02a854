#include "control/rank_advice.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "control/rollout.h"

namespace ebb::control {
namespace {

using model::Pod;

// Where ranks are worked out anew after each removal, and nobody says how long to wait for that.
constexpr std::int32_t kRecomputeSeconds = 30;

const ranking::Settings* settings_of(const RankQuestion& question) {
  return question.choice ? question.choice->settings.get() : nullptr;
}

// Costs that a policy has published as deletion costs are no ranks, but they decide all the same.
bool publishes_deletion_costs(const ranking::Settings* settings) {
  return settings != nullptr && settings->publish == ranking::Publish::kPodDeletionCost;
}

// The advice is that they are the carrier which counts, unless some are missing.
void look_at_deletion_costs(const RankQuestion& question, RankAdvice& advice) {
  advice.outcome = RankOutcome::kRanked;
  advice.own_costs_count = true;
  advice.carrier = fmt::format("annotation {}", model::kDeletionCostAnnotation);
  std::string problem;
  if (question.gates.on(model::Gate::kPodDeletionCost)) {
    const auto missing =
        std::count_if(question.active.begin(), question.active.end(),
                      [](const Pod* pod) { return pod->serving() && !pod->deletion_cost_valid; });
    if (missing == 0) return;
    problem = fmt::format("{} is not on {} of the Ready pods, so the ranker's are not used",
                          advice.carrier, missing);
    advice.outcome = RankOutcome::kIncomplete;
  } else {
    problem = "costs are published as deletion costs, and feature gate PodDeletionCost is off";
    advice.outcome = RankOutcome::kBadSettings;
  }
  advice.own_costs_count = false;
  advice.carrier.clear();
  advice.problems.push_back(std::move(problem));
}

// What is published, and whether it can be used.
void look_at_ranks(const RankQuestion& question, RankAdvice& advice) {
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
    look_at_deletion_costs(question, advice);
  } else if (found.stale) {
    advice.outcome = RankOutcome::kStale;
  } else if (!advice.problems.empty()) {
    advice.outcome = RankOutcome::kIncomplete;
  } else if (question.choice) {
    advice.outcome = RankOutcome::kUnpublished;
    advice.problems.push_back(fmt::format("DownscalePolicy {} asks for ranks, and there are none",
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
  RankAdvice advice{.at_once = question.surplus};
  if (!question.gates.on(model::Gate::kPodCostRanking)) return advice;
  look_at_ranks(question, advice);
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
                           std::size_t surplus, const Store& store, model::FeatureGates gates) {
  if (!gates.on(model::Gate::kPodCostRanking)) return {.at_once = surplus};
  std::vector<const model::PodGroupCost*> costs;
  const auto add = [&](std::string_view kind, std::string_view name) {
    for (const GroupCost* cost : store.group_costs_for(set.name_space.view(), kind, name)) {
      costs.push_back(cost);
    }
  };
  add("ReplicaSet", set.name.view());
  if (set.controller != nullptr) add(set.controller->kind.view(), set.controller->name.view());
  return advise_on_ranks({.set = set,
                          .active = active,
                          .surplus = surplus,
                          .all_go = set.replicas <= 0,
                          .costs = costs,
                          .choice = choose_ranking(set, store),
                          .rolling = is_rolling(set, store),
                          .policies_known = store.seen(Resource::kPolicies) != 0,
                          .gates = gates});
}

}  // namespace ebb::control
