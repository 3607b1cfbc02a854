#include "control/scaledown/scale_down.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "control/core/rule_text.h"
#include "control/scaledown/selection.h"
#include "order/reason.h"
#include "order/related.h"
#include "order/removal_order.h"

namespace ebb::control {
namespace {

using model::Pod;

// Compares the age of each victim with that of the youngest Ready pod, in whole numbers, for the
// metric sorting_deletion_age_ratio (R-2185-07). Where upstream divides by zero, nothing is
// observed.
void observe_ages(std::span<const Pod* const> active, const order::Lineup& lineup,
                  std::size_t surplus, Timestamp now, Telemetry& telemetry) {
  if (surplus == active.size()) return;
  Timestamp youngest;
  for (const Pod* pod : active) {
    if (pod->ready) youngest = std::max(youngest, pod->created);
  }
  if (youngest.is_zero()) return;
  const Nanoseconds youngest_ms = elapsed_ns(youngest, now) / kMillisecond;
  if (youngest_ms == 0) return;
  for (std::size_t place = 0; place < surplus; ++place) {
    const Pod& pod = *lineup[place].pod;
    if (!pod.ready || pod.created.is_zero()) continue;
    const Nanoseconds age_ms = elapsed_ns(pod.created, now) / kMillisecond;
    const Nanoseconds ratio = age_ms / youngest_ms;
    telemetry.observe(Histogram::kDeletionAgeRatio, {}, static_cast<double>(ratio));
  }
}

void start_record(const model::ReplicaSet& set, Decision& decision) {
  decision.namespace_name = set.namespace_name.view();
  decision.replica_set = set.name.view();
  decision.uid = set.uid.view();
  if (set.controller != nullptr) {
    decision.owner = fmt::format("{}/{}", set.controller->kind.view(), set.controller->name.view());
  }
}

void record_ranks(RankAdvice& advice, Nanoseconds waited_ns, Decision& decision) {
  if (!advice.outcome) return;
  decision.ranking = Decision::Ranking{.outcome = *advice.outcome,
                                       .policy = std::move(advice.policy),
                                       .carrier = std::move(advice.carrier),
                                       .problems = std::move(advice.problems),
                                       .recompute = advice.recompute,
                                       .waited_ns = waited_ns};
}

}  // namespace

order::NodeCounts count_co_located(const ReplicaSet& set, std::span<const Pod* const> active,
                                   const Store& store) {
  std::vector<const model::ReplicaSet*> siblings;
  std::vector<const Pod*> pods;
  if (set.controller != nullptr) {
    for (const ReplicaSet* sibling : store.siblings_of(set)) siblings.push_back(sibling);
    store.each_pod_in(set.namespace_name.view(), [&](const Pod& pod) { pods.push_back(&pod); });
  }
  return order::count_related(set, siblings, pods, active);
}

order::Lineup line_up(const model::ReplicaSet& set, std::span<const Pod* const> active,
                      const order::NodeCounts& co_located, const Advice& advice,
                      model::FeatureGates gates, Timestamp now) {
  return line_up_candidates({set, active, co_located, now, gates, advice.ranks.ranks,
                             advice.picker_advice.verdicts, advice.ranks.own_costs_count,
                             advice.ranks.foreign_costs_count});
}

Decision record_choice(const model::ReplicaSet& set, const order::Lineup& lineup,
                       std::size_t surplus, Advice& advice, model::FeatureGates gates,
                       Timestamp now) {
  Decision decision;
  decision.time = now;
  decision.from = static_cast<std::int64_t>(lineup.size());
  decision.to = set.replicas;
  decision.candidates = lineup.size();
  decision.gates = gates;
  start_record(set, decision);
  decision.picker = std::move(advice.picker_advice.picker);
  record_ranks(advice.ranks, advice.waited_for_ranks_ns, decision);
  if (surplus < lineup.size()) decision.first_kept = lineup[surplus].pod->name.view();
  for (std::size_t place = 0; place < surplus; ++place) {
    const Pod& pod = *lineup[place].pod;
    order::Reason reason = order::why_it_goes(lineup, place, surplus);
    decision.victims.push_back({.name = std::string(pod.name.view()),
                                .uid = std::string(pod.uid.view()),
                                .node = std::string(pod.node.view()),
                                .rule = std::string(reason.rule),
                                .because = std::move(reason.because),
                                .outcome = {}});
  }
  return decision;
}

ScaleDown choose_victims(const ReplicaSet& set, std::span<const Pod* const> active, Advice advice,
                         const ControllerContext& context, Timestamp now) {
  const std::size_t surplus = advice.picker_advice.surplus;
  EBB_CHECK(surplus > 0 && surplus <= active.size());
  // Not used with a picker's verdict.
  const order::NodeCounts co_located = advice.picker_advice.verdicts.empty()
                                           ? count_co_located(set, active, context.store)
                                           : order::NodeCounts();
  order::Lineup lineup = line_up(set, active, co_located, advice, context.gates, now);
  lineup.order_first(surplus);
  ScaleDown down{.victims = {},
                 .decision = record_choice(set, lineup, surplus, advice, context.gates, now)};
  for (const Decision::Victim& victim : down.decision.victims) {
    down.victims.push_back({victim.name, victim.uid});
  }
  observe_ages(active, lineup, surplus, now, context.telemetry);
  context.telemetry.count(Count::kDecisions);
  return down;
}

std::string describe(const Decision& decision) {
  const std::size_t gone = decision.going();
  std::string text =
      fmt::format("{} of {} pods {}", gone, decision.candidates, gone == 1 ? "goes" : "go");
  if (gone == decision.candidates) return text + decision.ranking_text() + decision.picker_text();
  // In the order of the rules, which is the order of the victims.
  std::vector<std::pair<std::string_view, std::size_t>> rules;
  for (const Decision::Victim& victim : decision.victims) {
    if (victim.spared) continue;
    if (rules.empty() || rules.back().first != victim.rule) rules.emplace_back(victim.rule, 0);
    ++rules.back().second;
  }
  for (std::size_t i = 0; i < rules.size(); ++i) {
    text +=
        fmt::format("{}{} by {}", i == 0 ? ": " : ", ", rules[i].second, in_words(rules[i].first));
  }
  if (gone < decision.victims.size()) {
    text += fmt::format("; {} could not be deleted", decision.victims.size() - gone);
  }
  return text + decision.ranking_text() + decision.picker_text();
}

}  // namespace ebb::control
