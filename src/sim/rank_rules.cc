// Of decisions.
#include "sim/rank_rules.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/objects.h"

namespace ebb::sim {
namespace {

using control::Decision;
using control::RankOutcome;

std::size_t count_serving(const Decision& decision, const std::set<std::string>& serving) {
  return static_cast<std::size_t>(
      std::count_if(decision.victims.begin(), decision.victims.end(),
                    [&](const auto& victim) { return serving.contains(victim.uid); }));
}

// What is wrong with the reason that the default order decides; empty: nothing.
std::string judge_fallback(const Decision::Ranking& told, const RankReading& reading) {
  if (!reading.carrier.empty()) {
    return fmt::format("the default order decides ({}), although {} could", to_string(told.outcome),
                       reading.carrier);
  }
  if (told.problems.empty()) {
    return fmt::format("nobody says why ranks are {}", to_string(told.outcome));
  }
  if (told.outcome != RankOutcome::kBadSettings && told.waited_ns < reading.wait_ns) {
    return fmt::format("ranks were waited for {} ms, and are worth {} ms",
                       told.waited_ns / kMillisecond, reading.wait_ns / kMillisecond);
  }
  return {};
}

// What is wrong with what the record says about ranks; empty: nothing.
std::string judge_outcome(const Decision& decision, const RankReading& reading,
                          bool nothing_to_rank) {
  if (!decision.ranking) {
    return reading.silent ? "" : "the record says nothing about ranks, although there are some";
  }
  const Decision::Ranking& told = *decision.ranking;
  if (reading.silent) return "the record speaks of ranks that nobody asks for";
  if (reading.rollout != (told.outcome == RankOutcome::kRollout)) {
    return fmt::format("ranks are {}, but a rollout is {}", to_string(told.outcome),
                       reading.rollout ? "on" : "off");
  }
  if (reading.rollout) return {};
  if (told.recompute != reading.recompute) {
    return "the record is wrong about whether ranks are worked out anew after each removal";
  }
  if (told.outcome == RankOutcome::kRanked) {
    if (told.carrier == reading.carrier && !told.carrier.empty()) return {};
    return fmt::format("ranks of {} count, but {} should", told.carrier,
                       reading.carrier.empty() ? "none" : reading.carrier);
  }
  if (told.outcome != RankOutcome::kNotNeeded) return judge_fallback(told, reading);
  return nothing_to_rank ? "" : "ranks are not needed, but pods go that they tell apart";
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

void RankRules::check_told() {
  for (const Decision& decision : std::exchange(told_, {})) check_decision(decision);
}

void RankRules::check_decision(const Decision& decision) {
  const auto found = moments_.find({decision.uid, decision.time});
  if (found == moments_.end()) return;  // picker_rules.h minds
  std::string complaint;
  for (const Moment& moment : found->second) {
    const bool nothing_to_rank =
        moment.replicas <= 0 || count_serving(decision, moment.serving) == 0;
    complaint = judge_outcome(decision, moment.reading, nothing_to_rank);
    if (complaint.empty()) return check_pace(decision, moment);
  }
  invariants_.violate("ranks", fmt::format("{}: {}", decision.replica_set, complaint));
}

// Where each removal makes all ranks worthless: one pod at a time that ranks tell apart, and the
// next after newer ranks, or when they have been waited for.
void RankRules::check_pace(const Decision& decision, const Moment& moment) {
  const std::size_t going = count_serving(decision, moment.serving);
  if (!moment.reading.recompute || moment.replicas <= 0 || going == 0) return;
  if (going > 1) {
    invariants_.violate("ranks", fmt::format("{} pods of {} go at a time, although each removal "
                                             "makes all ranks worthless",
                                             going, decision.replica_set));
  }
  const Timestamp before = std::exchange(removed_[decision.uid], moment.when);
  // Ranks that count now are of the pods that are there now, so they are newer.
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
