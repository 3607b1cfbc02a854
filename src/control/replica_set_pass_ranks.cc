// The part of a pass that decides when pods go, and how many at a time: it waits for ranks, then
// for a picker.
#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "control/counsel.h"
#include "control/rank_advice.h"
#include "control/replica_set_pass.h"
#include "control/scale_down.h"

namespace ebb::control {

// A pass does not wait for ranks or for an answer. It writes the status and ends; what is awaited,
// or the end of its time, brings the ReplicaSet up again, and then everything is looked at anew.
void ReplicaSetPass::scale_down(const ReplicaSet& set, const Claimed& pods, std::size_t surplus,
                                Now now) {
  const ControllerContext& context = around_.context;
  RankAdvice ranks = advise_on_ranks(set, pods.active, surplus, context.store, context.gates);
  if (!around_.safeguards.awaits_newer_ranks) ranks.at_once = surplus;
  if (must_await_ranks(ranks, now)) return write_status(now);
  Counsel counsel = take_counsel(set, pods.active, ranks.at_once, context, around_.desk, now);
  if (counsel.awaited) return write_status(now);
  if (!around_.safeguards.looks_again_after_answers && counsel.surplus_asked_about > 0) {
    counsel.surplus = std::min(counsel.surplus_asked_about, pods.active.size());
  }
  RankWait& wait = memory_.rank_wait;
  const Nanoseconds waited_ns = wait.since.is_zero() ? 0 : elapsed_ns(wait.since, now.mono);
  tell_ranks(ranks, waited_ns, now);
  tell_counsel(counsel, pods, now);
  policy_ = counsel.policy;
  // Ranks that have to be worked out anew after this removal may take their time again.
  const auto wanted = static_cast<std::size_t>(std::max(set.replicas, 0));
  const bool last = counsel.surplus >= pods.active.size() - wanted;
  if (last || ranks.recompute) wait = {.told = last ? std::nullopt : std::move(wait.told)};
  delete_victims(choose_victims(set, pods.active, {std::move(ranks), waited_ns, std::move(counsel)},
                                context, now.wall),
                 now);
}

bool ReplicaSetPass::must_await_ranks(RankAdvice& ranks, Now now) {
  if (ranks.worth_wait_ns == 0) return false;
  RankWait& wait = memory_.rank_wait;
  if (wait.since.is_zero()) wait.since = now.mono;
  const Timestamp due = later_by(wait.since, ranks.worth_wait_ns);
  if (due <= now.mono) return false;
  if (ranks.needing_none > 0) {
    ranks.at_once = ranks.needing_none;
    ranks.outcome = RankOutcome::kNotNeeded;
    return false;
  }
  ranks_due_ = due;
  tell_rank_wait(ranks, now);
  return true;
}

void ReplicaSetPass::tell_rank_wait(const RankAdvice& ranks, Now now) {
  RankWait& wait = memory_.rank_wait;
  if (!std::exchange(wait.waits, true)) around_.context.telemetry.count(Count::kRankWaits);
  // Once in a scale-down, also if it waits again after each removal.
  if (wait.told) return;
  wait.told = {.reason = "RanksAwaited",
               .message = fmt::format("Waits up to {} s for ranks: {}",
                                      ranks.worth_wait_ns / kNanosecondsPerSecond,
                                      fmt::join(ranks.problems, "; "))};
  note(false, wait.told->reason, wait.told->message, now, "ebb");
}

void ReplicaSetPass::tell_ranks(const RankAdvice& ranks, Nanoseconds waited_ns, Now now) {
  const std::string_view cause = ranks.outcome ? fallback_cause(*ranks.outcome) : "";
  if (cause.empty()) return;
  around_.context.telemetry.count(Count::kFallbacks, cause);
  const std::string after =
      waited_ns == 0 ? "" : fmt::format(", after waiting {} s", waited_ns / kNanosecondsPerSecond);
  note(true, "RanksIgnored",
       fmt::format("The default order decides{}: {}", after, fmt::join(ranks.problems, "; ")), now,
       "ebb");
}

}  // namespace ebb::control
