#include "control/replicaset/rank_wait.h"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/deadline_queue.h"

namespace ebb::control {

Timestamp await_ranks(RankAdvice& ranks, RankWait& wait, Timestamp now) {
  if (ranks.worth_wait_ns == 0) return {};
  if (wait.since.is_zero()) wait.since = now;
  const Timestamp due = later_by(wait.since, ranks.worth_wait_ns);
  if (due <= now) return {};
  if (ranks.needing_none > 0) {
    ranks.at_once = ranks.needing_none;
    ranks.outcome = RankOutcome::kNotNeeded;
    return {};
  }
  return due;
}

ConditionText describe_wait(const RankAdvice& ranks) {
  return {.reason = "RanksAwaited",
          .message = fmt::format("Waiting up to {} s for ranks: {}",
                                 ranks.worth_wait_ns / kNanosecondsPerSecond,
                                 fmt::join(ranks.problems, "; "))};
}

void pods_go(RankWait& wait, bool last, bool recompute) {
  if (last || recompute) wait = {.reported = last ? std::nullopt : std::move(wait.reported)};
}

}  // namespace ebb::control
