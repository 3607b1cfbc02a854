#include "control/scale_down.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "control/rule_words.h"
#include "control/selection.h"
#include "order/reason.h"
#include "order/related.h"
#include "order/removal_order.h"

namespace ebb::control {
namespace {

using model::Pod;

constexpr Nanoseconds kMillisecond = 1'000'000;

order::NodeCounts count_co_located(const ReplicaSet& set, std::span<const Pod* const> active,
                                   const Store& store) {
  std::vector<const model::ReplicaSet*> siblings;
  std::vector<const Pod*> pods;
  if (set.controller != nullptr) {
    for (const ReplicaSet* sibling : store.replica_sets_of(set.controller->uid.view())) {
      siblings.push_back(sibling);
    }
    store.each_pod_in(set.name_space.view(), [&](const Pod& pod) { pods.push_back(&pod); });
  }
  return order::count_related(set, siblings, pods, active);
}

// A7.12: how old victims are compared with the youngest Ready pod, in whole numbers as
// upstream has them. Where upstream divides by zero, nothing is observed.
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

void start_record(const ReplicaSet& set, Decision& decision) {
  decision.name_space = set.name_space.view();
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

ScaleDown choose_victims(const ReplicaSet& set, std::span<const Pod* const> active, Advice advice,
                         const ControllerContext& context, Timestamp now) {
  Counsel& counsel = advice.counsel;
  const std::size_t surplus = counsel.surplus;
  EBB_CHECK(surplus > 0 && surplus <= active.size());
  ScaleDown down;
  Decision& decision = down.decision;
  decision.time = now;
  decision.from = static_cast<std::int64_t>(active.size());
  decision.to = set.replicas;
  decision.candidates = active.size();
  decision.gates = context.gates;
  start_record(set, decision);
  decision.picker = std::move(counsel.picker);
  record_ranks(advice.ranks, advice.waited_for_ranks_ns, decision);

  // With a picker's word nobody looks at them.
  const order::NodeCounts co_located =
      counsel.verdicts.empty() ? count_co_located(set, active, context.store) : order::NodeCounts();
  order::Lineup lineup =
      line_up_candidates({set, active, co_located, now, context.gates, advice.ranks.ranks,
                          counsel.verdicts, advice.ranks.own_costs_count});
  lineup.order_first(surplus);
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
    down.victims.push_back({std::string(pod.name.view()), std::string(pod.uid.view())});
  }
  observe_ages(active, lineup, surplus, now, context.telemetry);
  context.telemetry.count(Count::kDecisions);
  return down;
}

std::string describe(const Decision& decision) {
  const std::size_t gone = decision.going();
  std::string text =
      fmt::format("{} of {} pods {}", gone, decision.candidates, gone == 1 ? "goes" : "go");
  if (gone == decision.candidates) return text + decision.ranking_words() + decision.picker_words();
  // In the order of the rules, because that is the order of the victims.
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
  return text + decision.ranking_words() + decision.picker_words();
}

}  // namespace ebb::control
