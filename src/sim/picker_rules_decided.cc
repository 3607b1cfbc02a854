// I3 and I7: what a decision says, against what there was to decide.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "control/scale_down.h"
#include "control/selection.h"
#include "order/related.h"
#include "sim/objects.h"
#include "sim/picker_rules.h"
#include "sim/rank_reading.h"

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
    for (const auto* sibling : store.replica_sets_of(set.controller->uid.view())) {
      siblings.push_back(sibling);
    }
    store.each_pod_in(set.name_space.view(), [&](const model::Pod& pod) { all.push_back(&pod); });
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
    moments_[{std::string(set->uid.view()), wall}].push_back(look_at(view, *set, pods, wall));
  }
}

PickerRules::Moment PickerRules::look_at(const View& view, const control::ReplicaSet& set,
                                         const std::vector<const control::Pod*>& seen,
                                         Timestamp wall) const {
  const Pods pods(seen.rbegin(), seen.rend());  // I7: who goes does not depend on that
  const order::NodeCounts co_located = count_co_located(set, pods, view.store);
  const RankReading ranks = read_ranks(set, pods, view.store, view.settings.gates);
  const auto order_by = [&](std::span<const Verdict> verdicts) {
    auto lineup = control::line_up_candidates({set, pods, co_located, wall, view.settings.gates,
                                               ranks.ranks, verdicts, ranks.own_costs_count});
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
  const Consultation& one = consultations_.at(latest->second);
  if (!one.last || one.last->outcome != Outcome::kAnswered || one.over) return moment;
  moment.key = latest->second;
  std::vector<Verdict> verdicts;
  for (const control::Pod* pod : pods) {
    // Another pod by the name of a candidate is not the one that was meant.
    const auto asked = one.uids.find(pod->name.view());
    Verdict verdict = Verdict::kUnnamed;
    if (asked != one.uids.end() && asked->second == pod->uid.view()) {
      if (names(one.last->answer.tied, asked->first)) verdict = Verdict::kTied;
      if (names(one.last->answer.chosen, asked->first)) verdict = Verdict::kChosen;
    }
    verdicts.push_back(verdict);
  }
  // If all who were named are gone, nothing was said.
  if (std::all_of(verdicts.begin(), verdicts.end(),
                  [](Verdict verdict) { return verdict == Verdict::kUnnamed; })) {
    verdicts.clear();
  }
  moment.by_answer = order_by(verdicts);
  return moment;
}

void PickerRules::check_told() {
  for (const control::Decision& decision : std::exchange(told_, {})) check_decision(decision);
}

void PickerRules::check_decision(const control::Decision& decision) {
  const auto found = moments_.find({decision.uid, decision.time});
  if (found == moments_.end()) {
    return invariants_.violate(
        "I3", fmt::format("decides about {} although nothing is to go", decision.replica_set));
  }
  Violation complaint;
  for (const Moment& moment : found->second) {
    complaint = judge_victims(decision, moment);
    if (complaint.text.empty()) break;
  }
  if (!complaint.text.empty()) invariants_.violate(complaint.rule, complaint.text);
  if (decision.picker) check_consultation(decision);
}

Violation PickerRules::judge_victims(const control::Decision& decision,
                                     const Moment& moment) const {
  const bool answered = decision.picker && decision.picker->outcome == Outcome::kAnswered;
  const std::size_t going = decision.victims.size();
  const std::size_t whole = std::min(moment.surplus, control::kBurst);
  // An answer is about those that were too many when the question was asked.
  const bool asked = decision.picker && decision.picker->requested > 0;
  std::size_t least = asked ? std::min(whole, decision.picker->requested) : whole;
  // Those that need no ranks do not wait for the others, and with ranks that are worked out anew
  // after each removal they go one by one.
  if (decision.ranking && (decision.ranking->recompute ||
                           decision.ranking->outcome == control::RankOutcome::kNotNeeded)) {
    least = std::min<std::size_t>(least, 1);
  }
  if (going < least || going > whole) {
    return {"I3", fmt::format("{} pods of {} go, but {} are too many", going, decision.replica_set,
                              moment.surplus)};
  }
  if (answered && moment.key != decision.picker->idempotency_key) {
    return {"I3", "an answer counts that nobody gave"};
  }
  const std::vector<std::string>& order = answered ? moment.by_answer : moment.by_default;
  for (std::size_t i = 0; i < going; ++i) {
    if (decision.victims[i].uid == order[i]) continue;
    return {"I7", fmt::format("{} goes as number {} of {}, but another comes before it",
                              decision.victims[i].name, i + 1, decision.replica_set)};
  }
  return {};
}

void PickerRules::check_consultation(const control::Decision& decision) {
  const control::Decision::Picker& told = *decision.picker;
  const auto found = consultations_.find(told.idempotency_key);
  if (found == consultations_.end()) {
    if (told.attempts > 0) invariants_.violate("picker", "says that it asked, and did not");
    return;
  }
  Consultation& one = found->second;
  if (std::exchange(one.over, true)) {
    invariants_.violate("picker", "one answer serves two decisions");
  }
  if (told.attempts != one.attempts || told.requested != one.question.requested) {
    invariants_.violate(
        "picker", fmt::format("says that it asked {} times for {} pods, but asked "
                              "{} times for {}",
                              told.attempts, told.requested, one.attempts, one.question.requested));
  }
  // What the last reply was is what is told, unless time was up before or after it.
  if (told.outcome != Outcome::kTimeout && told.outcome != Outcome::kEmpty &&
      (!one.last || told.outcome != one.last->outcome)) {
    invariants_.violate(
        "picker", fmt::format("says that the picker ended with: {}", to_string(told.outcome)));
  }
  if (one.held_up) return;
  if (told.duration_ns > one.budget_ns + kAtOnce) {
    invariants_.violate("I5", fmt::format("the picker of {} was waited for {} ms",
                                          decision.replica_set, told.duration_ns / kMillisecond));
  }
}

}  // namespace ebb::sim
