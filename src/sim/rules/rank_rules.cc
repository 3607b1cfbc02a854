// Rules for decisions.
#include "sim/rules/rank_rules.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/core/objects.h"

namespace ebb::sim {
namespace {

using control::Decision;
using control::RankOutcome;

std::size_t count_serving(const Decision& decision, const std::set<std::string>& serving) {
  return static_cast<std::size_t>(
      std::count_if(decision.victims.begin(), decision.victims.end(),
                    [&](const auto& victim) { return serving.contains(victim.uid); }));
}

// Returns what is wrong with the recorded cause of a fallback; empty if nothing.
std::string judge_fallback(const Decision::Ranking& recorded, const RankReading& reading) {
  if (!reading.carrier.empty()) {
    return fmt::format("the default order decides ({}), although {} could",
                       to_string(recorded.outcome), reading.carrier);
  }
  if (recorded.problems.empty()) {
    return fmt::format("the record does not say why ranks are {}", to_string(recorded.outcome));
  }
  if (recorded.outcome != RankOutcome::kBadSettings && recorded.waited_ns < reading.wait_ns) {
    return fmt::format("the decision waited {} ms for ranks, but {} ms are configured",
                       recorded.waited_ns / kMillisecond, reading.wait_ns / kMillisecond);
  }
  return {};
}

// Returns what is wrong with the record's statements about ranks; empty if nothing.
std::string judge_outcome(const Decision& decision, const RankReading& reading,
                          bool nothing_to_rank) {
  if (!decision.ranking) {
    return reading.silent ? "" : "the record says nothing about ranks, although there are some";
  }
  const Decision::Ranking& recorded = *decision.ranking;
  if (reading.silent) return "the record mentions ranks that no policy asks for";
  if (reading.rollout != (recorded.outcome == RankOutcome::kRollout)) {
    return fmt::format("ranks are {}, but a rollout is {}", to_string(recorded.outcome),
                       reading.rollout ? "on" : "off");
  }
  if (reading.rollout) return {};
  if (recorded.recompute != reading.recompute) {
    return "the record is wrong about whether ranks are recomputed after each removal";
  }
  if (recorded.outcome == RankOutcome::kRanked) {
    if (recorded.carrier == reading.carrier && !recorded.carrier.empty()) return {};
    return fmt::format("ranks of {} count, but {} should", recorded.carrier,
                       reading.carrier.empty() ? "none" : reading.carrier);
  }
  if (recorded.outcome != RankOutcome::kNotNeeded) return judge_fallback(recorded, reading);
  return nothing_to_rank
             ? ""
             : "the record says that ranks are not needed, but they distinguish the victims";
}

}  // namespace

void RankRules::deciding(const View& view, Timestamp wall) {
  for (const control::ReplicaSet* set : view.store.replica_sets_in(kNamespace)) {
    const auto pods = invariants_.pods_seen(view.process, *set, view.store);
    if (static_cast<std::int64_t>(pods.size()) <= set->replicas || set->deleting) continue;
    Moment moment{.when = time_.now(),
                  .reading = read_ranks(*set, pods, view.store, view.settings.gates),
                  .replicas = set->replicas};
    for (const control::Pod* pod : pods) {
      if (pod->serving()) moment.serving.emplace(pod->uid.view());
    }
    moments_[{std::string(set->uid.view()), wall}].push_back(std::move(moment));
  }
}

void RankRules::check_decisions() {
  for (const Decision& decision : std::exchange(unchecked_, {})) check_decision(decision);
}

void RankRules::check_decision(const Decision& decision) {
  const auto found = moments_.find({decision.uid, decision.time});
  if (found == moments_.end()) return;  // picker_rules.h reports this
  std::string complaint;
  for (const Moment& moment : found->second) {
    const bool nothing_to_rank =
        moment.replicas <= 0 || count_serving(decision, moment.serving) == 0;
    complaint = judge_outcome(decision, moment.reading, nothing_to_rank);
    if (complaint.empty()) return check_pace(decision, moment);
  }
  invariants_.violate("ranks", fmt::format("{}: {}", decision.replica_set, complaint));
}

// With ranks that are recomputed after each removal, ranked pods go one at a time, and the next
// goes after newer ranks, or after the wait for them.
void RankRules::check_pace(const Decision& decision, const Moment& moment) {
  const std::size_t going = count_serving(decision, moment.serving);
  if (!moment.reading.recompute || moment.replicas <= 0 || going == 0) return;
  if (going > 1) {
    invariants_.violate("ranks", fmt::format("{} pods of {} go at a time, although each removal "
                                             "invalidates all ranks",
                                             going, decision.replica_set));
  }
  const Timestamp before = std::exchange(removed_[decision.uid], moment.when);
  // Ranks that count now were computed for the current pods, so they are newer.
  const bool ranked = decision.ranking && decision.ranking->outcome == RankOutcome::kRanked;
  if (ranked || before.is_zero()) return;
  if (elapsed_ns(before, moment.when) >= moment.reading.wait_ns) return;
  invariants_.violate(
      "ranks", fmt::format("another pod of {} goes after {} ms and without newer "
                           "ranks, which are worth waiting {} ms for",
                           decision.replica_set, elapsed_ns(before, moment.when) / kMillisecond,
                           moment.reading.wait_ns / kMillisecond));
}

}  // namespace ebb::sim
