#include "plan/set_ranking.h"

#include <utility>

#include <fmt/format.h>

#include "control/policy/picker_choice.h"
#include "plan/snapshot_cluster_reader.h"
#include "ranking/blind.h"
#include "ranking/published_ranks.h"

namespace ebb::plan {
namespace {

using control::RankOutcome;

// The effective policy of the snapshot, or null. A tried policy replaces the one of the same name.
const model::DownscalePolicy* find_policy(const RankedSet& question) {
  std::vector<const model::DownscalePolicy*> policies;
  for (const model::DownscalePolicy& policy : question.snapshot.policies) {
    const bool replaced = question.tried != nullptr && policy.name.view() == question.tried->name;
    if (!replaced) policies.push_back(&policy);
  }
  return control::policy_of(question.set, policies);
}

bool ignores_deletion_costs(const RankedSet& question) {
  if (question.tried != nullptr) return question.tried->ignores_deletion_costs;
  const model::DownscalePolicy* const there = find_policy(question);
  return there != nullptr && !there->shadow && there->ignores_deletion_costs;
}

// Whether an existing policy takes precedence over the tried one.
bool outranks(const model::DownscalePolicy& there, const TriedPolicy& tried) {
  return model::target_of(there).is_replica_set() || !tried.target().is_replica_set();
}

std::optional<control::RankingChoice> choose(const RankedSet& question, SetRanking& result) {
  const model::DownscalePolicy* const there = find_policy(question);
  if (question.tried == nullptr) {
    if (there != nullptr && there->shadow) return std::nullopt;
    if (there == nullptr || !there->has_ranking) return std::nullopt;
    return control::read_ranking(*there);
  }
  if (there != nullptr && outranks(*there, *question.tried)) {
    result.warnings.push_back(
        fmt::format("DownscalePolicy {} takes precedence for this ReplicaSet while it exists; this "
                    "plan ignores "
                    "it",
                    there->name.view()));
  }
  if (!question.tried->ranking) return std::nullopt;
  return control::RankingChoice{.policy = question.tried->name,
                                .settings = question.tried->ranking};
}

void warn_about_nodes(const RankedSet& question, SetRanking& result) {
  if (!question.snapshot.nodes.empty()) return;
  for (const ranking::Weighed& one : result.strategies) {
    if (!one.strategy->reads_nodes) continue;
    result.warnings.push_back(
        fmt::format("strategy {} needs nodes, but the input has none", one.strategy->name));
  }
}

// The ranks that a ranker would publish for the pods as they are.
ranking::PublishedRanks publish(const RankedSet& question, const ranking::Settings& settings,
                                const ranking::Ranks& ranks,
                                const ranking::ClusterReader& cluster) {
  ranking::PublishedRanks published;
  // Deletion costs are on the pods (tried_pods.h).
  if (settings.publish == ranking::Publish::kPodDeletionCost) return published;
  published.of_pods = ranks;
  published.recompute = settings.recomputes();
  published.carrier = fmt::format("DownscalePolicy {} (not applied yet)", question.tried->name);
  if (settings.recomputes()) {
    // Recomputing after each removal and an exact order give the same result.
    ranking::Settings in_mind = settings;
    in_mind.exact = true;
    in_mind.bounded = false;
    published.of_pods = ranking::rank_group(in_mind, question.pods, cluster).of_pods;
  }
  return published;
}

void warn_about_advice(const RankedSet& question, SetRanking& result) {
  const control::RankAdvice& advice = result.advice;
  if (!advice.outcome) return;
  const auto warn = [&](std::string warning) { result.warnings.push_back(std::move(warning)); };
  for (const std::string& problem : advice.problems) warn(problem);
  if (*advice.outcome == RankOutcome::kRollout) {
    warn("ranks are not used while another ReplicaSet of the same owner has pods");
  }
  if (advice.worth_wait_ns > 0) {
    warn(
        fmt::format("controllers wait up to {} s for better ranks before they use the order "
                    "of this plan",
                    advice.worth_wait_ns / kNanosecondsPerSecond));
  }
  if (advice.recompute && advice.at_once < question.surplus) {
    warn("ranks are recomputed after each removal, so pods go one at a time");
  }
}

}  // namespace

SetRanking rank_set(const RankedSet& question) {
  SetRanking result;
  if (const auto* there = find_policy(question);
      question.tried == nullptr && there != nullptr && there->shadow) {
    result.warnings.push_back(fmt::format(
        "DownscalePolicy {} is in shadow mode: its choices are only recorded", there->name.view()));
  }
  if (!question.gates.on(model::Gate::kPodCostRanking)) {
    if (question.tried != nullptr) {
      result.warnings.emplace_back("the policy is not tried: feature gate PodCostRanking is off");
    }
    result.advice.at_once = question.surplus;
    result.advice.foreign_costs_count = !ignores_deletion_costs(question);
    return result;
  }
  const auto choice = choose(question, result);
  const ranking::Settings* const settings = choice ? choice->settings.get() : nullptr;
  std::optional<ranking::PublishedRanks> as_if;
  if (settings != nullptr) {
    const SnapshotClusterReader cluster(question.snapshot);
    ranking::GroupRanks ranks = ranking::rank_group(*settings, question.pods, cluster);
    result.strategies = settings->strategies;
    result.by_strategy = std::move(ranks.by_strategy);
    warn_about_nodes(question, result);
    for (std::string& limit : ranks.effort.limits) result.warnings.push_back(std::move(limit));
    for (std::string& sentence :
         ranking::find_blind_strategies(*settings, question.pods, cluster)) {
      result.warnings.push_back(std::move(sentence));
    }
    if (question.tried != nullptr) as_if = publish(question, *settings, ranks.of_pods, cluster);
  }
  std::vector<const model::PodGroupCost*> costs;
  for (const model::PodGroupCost& cost : question.snapshot.pod_group_costs) costs.push_back(&cost);
  result.advice =
      control::advise_on_ranks({.set = question.set,
                                .active = question.pods,
                                .surplus = question.surplus,
                                .all_go = question.all_go,
                                .costs = costs,
                                .as_if = as_if ? &*as_if : nullptr,
                                .choice = choice,
                                .rolling = question.rolling,
                                .policies_known = !question.snapshot.policies.empty(),
                                .ignores_deletion_costs = ignores_deletion_costs(question),
                                .gates = question.gates});
  warn_about_advice(question, result);
  return result;
}

}  // namespace ebb::plan
