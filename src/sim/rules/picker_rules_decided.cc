// I3 and I7: compares a decision record with the state at the time of the decision.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "control/scaledown/scale_down.h"
#include "control/scaledown/selection.h"
#include "order/related.h"
#include "sim/core/objects.h"
#include "sim/core/rank_reading.h"
#include "sim/rules/picker_rules.h"

namespace ebb::sim {
namespace {

using model::Verdict;
using picker::Outcome;
using Pods = std::vector<const model::Pod*>;

order::NodeCounts count_co_located(const control::ReplicaSet& set, const Pods& pods,
                                   const control::Store& store) {
  std::vector<const model::ReplicaSet*> siblings;
  Pods all;
  if (set.controller != nullptr) {
    for (const auto* sibling : store.siblings_of(set)) {
      siblings.push_back(sibling);
    }
    store.each_pod_in(set.namespace_name.view(),
                      [&](const model::Pod& pod) { all.push_back(&pod); });
  }
  return order::count_related(set, siblings, all, pods);
}

bool names(const picker::NameList& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace

void PickerRules::deciding(const View& view, Timestamp wall) {
  for (const control::ReplicaSet* set : view.store.replica_sets_in(kNamespace)) {
    const auto pods = invariants_.pods_seen(view.process, *set, view.store);
    if (static_cast<std::int64_t>(pods.size()) <= set->replicas || set->deleting) continue;
    moments_[{std::string(set->uid.view()), wall}].push_back(inspect(view, *set, pods, wall));
  }
}

PickerRules::Moment PickerRules::inspect(const View& view, const control::ReplicaSet& set,
                                         const std::vector<const control::Pod*>& seen,
                                         Timestamp wall) const {
  const Pods pods(seen.rbegin(),
                  seen.rend());  // I7: the victims do not depend on the order of input
  const order::NodeCounts co_located = count_co_located(set, pods, view.store);
  const RankReading ranks = read_ranks(set, pods, view.store, view.settings.gates);
  const auto order_by = [&](std::span<const Verdict> verdicts) {
    auto lineup =
        control::line_up_candidates({set, pods, co_located, wall, view.settings.gates, ranks.ranks,
                                     verdicts, ranks.own_costs_count, ranks.foreign_costs_count});
    lineup.order_first(pods.size());
    std::vector<std::string> uids;
    for (std::size_t i = 0; i < pods.size(); ++i) uids.emplace_back(lineup[i].pod->uid.view());
    return uids;
  };
  Moment moment{.when = time_.now(),
                .surplus = pods.size() - static_cast<std::size_t>(std::max(set.replicas, 0)),
                .by_default = order_by({})};
  const auto latest = latest_.find({view.process, std::string(set.uid.view())});
  if (latest == latest_.end()) return moment;
  const Session& one = sessions_.at(latest->second);
  if (!one.last || one.last->outcome != Outcome::kAnswered || one.over) return moment;
  moment.key = latest->second;
  std::vector<Verdict> verdicts;
  for (const control::Pod* pod : pods) {
    // A new pod with the name of a candidate is not the candidate.
    const auto asked = one.uids.find(pod->name.view());
    Verdict verdict = Verdict::kUnnamed;
    if (asked != one.uids.end() && asked->second == pod->uid.view()) {
      if (names(one.last->answer.tied, asked->first)) verdict = Verdict::kTied;
      if (names(one.last->answer.chosen, asked->first)) verdict = Verdict::kChosen;
    }
    verdicts.push_back(verdict);
  }
  // If all named pods are gone, the answer has no effect.
  if (std::all_of(verdicts.begin(), verdicts.end(),
                  [](Verdict verdict) { return verdict == Verdict::kUnnamed; })) {
    verdicts.clear();
  }
  moment.by_answer = order_by(verdicts);
  return moment;
}

void PickerRules::check_decisions() {
  for (const control::Decision& decision : std::exchange(unchecked_, {})) check_decision(decision);
}

void PickerRules::check_decision(const control::Decision& decision) {
  const auto found = moments_.find({decision.uid, decision.time});
  if (found == moments_.end()) {
    return invariants_.violate(
        "I3", fmt::format("decides about {} although there is no surplus", decision.replica_set));
  }
  Violation complaint;
  for (const Moment& moment : found->second) {
    complaint = judge_victims(decision, moment);
    if (complaint.text.empty()) break;
  }
  if (!complaint.text.empty()) invariants_.violate(complaint.rule, complaint.text);
  if (decision.picker) check_session(decision);
}

Violation PickerRules::judge_victims(const control::Decision& decision,
                                     const Moment& moment) const {
  const bool answered = decision.picker && decision.picker->outcome == Outcome::kAnswered;
  const std::size_t going = decision.victims.size();
  const std::size_t whole = std::min(moment.surplus, control::kBurst);
  // An answer applies to the surplus at the time of the request.
  const bool asked = decision.picker && decision.picker->requested > 0;
  std::size_t least = asked ? std::min(whole, decision.picker->requested) : whole;
  // Pods that need no ranks do not wait for the others; with ranks that are recomputed after each
  // removal, pods go one at a time.
  if (decision.ranking && (decision.ranking->recompute ||
                           decision.ranking->outcome == control::RankOutcome::kNotNeeded)) {
    least = std::min<std::size_t>(least, 1);
  }
  if (going < least || going > whole) {
    return {"I3", fmt::format("{} pods of {} go, but the surplus is {}", going,
                              decision.replica_set, moment.surplus)};
  }
  if (answered && moment.key != decision.picker->idempotency_key) {
    return {"I3", "the record uses an answer that was never given"};
  }
  const std::vector<std::string>& order = answered ? moment.by_answer : moment.by_default;
  for (std::size_t i = 0; i < going; ++i) {
    if (decision.victims[i].uid == order[i]) continue;
    return {"I7", fmt::format("{} goes as number {} of {}, but another comes before it",
                              decision.victims[i].name, i + 1, decision.replica_set)};
  }
  return {};
}

void PickerRules::check_session(const control::Decision& decision) {
  const control::Decision::Picker& recorded = *decision.picker;
  const auto found = sessions_.find(recorded.idempotency_key);
  if (found == sessions_.end()) {
    if (recorded.attempts > 0)
      invariants_.violate("picker", "the record counts attempts, but there were none");
    return;
  }
  Session& one = found->second;
  if (std::exchange(one.over, true)) {
    invariants_.violate("picker", "one answer is used for two decisions");
  }
  if (recorded.attempts != one.attempts || recorded.requested != one.request.requested) {
    invariants_.violate("picker", fmt::format("the record has {} attempts for {} pods, but there "
                                              "were {} for {}",
                                              recorded.attempts, recorded.requested, one.attempts,
                                              one.request.requested));
  }
  // The record names the outcome of the last reply, unless the time budget was used up before or
  // after it.
  if (recorded.outcome != Outcome::kTimeout && recorded.outcome != Outcome::kEmpty &&
      (!one.last || recorded.outcome != one.last->outcome)) {
    invariants_.violate(
        "picker", fmt::format("the record has the wrong outcome: {}", to_string(recorded.outcome)));
  }
  if (one.held_up) return;
  if (recorded.duration_ns > one.budget_ns + kAtOnce) {
    invariants_.violate("I5",
                        fmt::format("the decision waited for the picker of {} for {} ms",
                                    decision.replica_set, recorded.duration_ns / kMillisecond));
  }
}

}  // namespace ebb::sim
