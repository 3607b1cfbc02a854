#include "plan/set_ranking.h"

#include <utility>

#include <fmt/format.h>

#include "control/picker_choice.h"
#include "plan/snapshot_surroundings.h"
#include "ranking/blind.h"
#include "ranking/published_ranks.h"

namespace ebb::plan {
namespace {

using control::RankOutcome;

// The policy of the snapshot that counts; null: none. One that is tried replaces that of its name.
const model::DownscalePolicy* find_policy(const RankedSet& question) {
  std::vector<const model::DownscalePolicy*> policies;
  for (const model::DownscalePolicy& policy : question.snapshot.policies) {
    const bool replaced = question.tried != nullptr && policy.name.view() == question.tried->name;
    if (!replaced) policies.push_back(&policy);
  }
  return control::policy_of(question.set, policies);
}

// Whether a policy that exists would keep the one that is tried from counting.
bool outranks(const model::DownscalePolicy& there, const TriedPolicy& tried) {
  return there.target_kind.view() == "ReplicaSet" || tried.target_kind != "ReplicaSet";
}

std::optional<control::RankingChoice> choose(const RankedSet& question, SetRanking& result) {
  const model::DownscalePolicy* const there = find_policy(question);
  if (question.tried == nullptr) {
    if (there == nullptr || !there->has_ranking) return std::nullopt;
    return control::read_ranking(*there);
  }
  if (there != nullptr && outranks(*there, *question.tried)) {
    result.warnings.push_back(fmt::format(
        "DownscalePolicy {} counts for this ReplicaSet as long as it is there; this plan is as if "
        "it were not",
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
        fmt::format("strategy {} looks at nodes, and the input has none", one.strategy->name));
  }
}

// What whoever ranks would publish for the pods as they are.
ranking::PublishedRanks publish(const RankedSet& question, const ranking::Settings& settings,
                                const ranking::Ranks& ranks, const ranking::Surroundings& around) {
  ranking::PublishedRanks published;
  // Then they stand on the pods, in tried_pods.h.
  if (settings.publish == ranking::Publish::kPodDeletionCost) return published;
  published.of_pods = ranks;
  published.recompute = settings.recomputes();
  published.carrier = fmt::format("DownscalePolicy {}, which is tried", question.tried->name);
  if (settings.recomputes()) {
    // Worked out anew after each removal, or all of them in mind: it comes to the same.
    ranking::Settings in_mind = settings;
    in_mind.exact = true;
    published.of_pods = ranking::rank_group(in_mind, question.pods, around).of_pods;
  }
  return published;
}

void warn_about_advice(const RankedSet& question, SetRanking& result) {
  const control::RankAdvice& advice = result.advice;
  if (!advice.outcome) return;
  const auto warn = [&](std::string warning) { result.warnings.push_back(std::move(warning)); };
  for (const std::string& problem : advice.problems) warn(problem);
  if (*advice.outcome == RankOutcome::kRollout) {
    warn("ranks are not heeded while another ReplicaSet of the Deployment has pods");
  }
  if (advice.worth_wait_ns > 0) {
    warn(
        fmt::format("controllers wait up to {} s for better ranks, and only then go by the order "
                    "of this plan",
                    advice.worth_wait_ns / kNanosecondsPerSecond));
  }
  if (advice.recompute && advice.at_once < question.surplus) {
    warn("ranks are worked out anew after each removal, so pods go one by one");
  }
}

}  // namespace

SetRanking rank_set(const RankedSet& question) {
  SetRanking result;
  if (!question.gates.on(model::Gate::kPodCostRanking)) {
    if (question.tried != nullptr) {
      result.warnings.emplace_back("the policy is not tried: feature gate PodCostRanking is off");
    }
    result.advice.at_once = question.surplus;
    return result;
  }
  const auto choice = choose(question, result);
  const ranking::Settings* const settings = choice ? choice->settings.get() : nullptr;
  std::optional<ranking::PublishedRanks> as_if;
  if (settings != nullptr) {
    const SnapshotSurroundings around(question.snapshot);
    ranking::GroupRanks ranks = ranking::rank_group(*settings, question.pods, around);
    result.strategies = settings->strategies;
    result.by_strategy = std::move(ranks.by_strategy);
    warn_about_nodes(question, result);
    for (std::string& sentence : ranking::find_blind_strategies(*settings, question.pods, around)) {
      result.warnings.push_back(std::move(sentence));
    }
    if (question.tried != nullptr) as_if = publish(question, *settings, ranks.of_pods, around);
  }
  std::vector<const model::PodGroupCost*> costs;
  for (const model::PodGroupCost& cost : question.snapshot.pod_group_costs) costs.push_back(&cost);
  result.advice = control::advise_on_ranks({.set = question.set,
                                            .active = question.pods,
                                            .surplus = question.surplus,
                                            .all_go = question.all_go,
                                            .costs = costs,
                                            .as_if = as_if ? &*as_if : nullptr,
                                            .choice = choice,
                                            .rolling = question.rolling,
                                            .policies_known = !question.snapshot.policies.empty(),
                                            .gates = question.gates});
  warn_about_advice(question, result);
  return result;
}

}  // namespace ebb::plan
