// How long a scale-down has waited for ranks, and whether it goes on waiting.
#pragma once  // private to its room

#include <optional>

#include "base/timestamp.h"
#include "control/replicaset/replica_set_status.h"
#include "control/scaledown/rank_advice.h"

namespace ebb::control {

// Reset when the scale-down is over.
struct RankWait {
  Timestamp since{};   // on the monotonic clock; the zero time: nothing was missing yet
  bool waits = false;  // a sync ended because of it
  // The condition that reports the wait. It stays until the scale-down is over, also between two
  // waits.
  std::optional<ConditionText> reported{};

  [[nodiscard]] Nanoseconds waited_ns(Timestamp now) const {
    return since.is_zero() ? 0 : elapsed_ns(since, now);
  }
};

// When the wait ends, if better ranks are worth waiting for; the zero time: pods may go now, as
// many as `ranks` says then.
[[nodiscard]] Timestamp await_ranks(RankAdvice& ranks, RankWait& wait, Timestamp now);

[[nodiscard]] ConditionText describe_wait(const RankAdvice& ranks);

// Pods go now. `last`: the scale-down is over. Ranks that are recomputed after this removal get
// their full waiting time again.
void pods_go(RankWait& wait, bool last, bool recompute);

}  // namespace ebb::control
