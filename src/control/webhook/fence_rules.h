// Whether a stock controller may delete a pod while a scale-down is in progress.
//
// The ReplicaSet controller reads deletion costs through a watch that lags behind the one that
// shows it the smaller size, so it may choose pods whose costs it has not seen. The fence refuses
// these deletes for a few seconds; the controller retries, with newer data. Everything else passes:
// the fence must never keep a pod alive that has to go.
#pragma once  // private to its room

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/now.h"
#include "control/webhook/admission_review.h"
#include "control/webhook/known_decisions.h"

namespace ebb::control {

enum class FenceVerdict : std::uint8_t {
  kRefused,
  // The delete passes, because
  kUnconcerned,    // it is a dry run, or not of a pod of a ReplicaSet with an active policy
  kNotServing,     // the pod is unassigned, pending or not ready, so it goes first anyway
  kDisrupted,      // it is being disrupted: taint eviction, preemption, a drain
  kOtherOptions,   // the ReplicaSet controller sends no delete options
  kAllGo,          // no pod remains
  kNoDecision,     // none is known
  kWindowOver,     // the decision was seen too long ago
  kVictim,         // it was chosen
  kEnoughOthers,   // more pods that were not chosen are left than remain in the end
  kAllowedBefore,  // the same delete was allowed a moment ago
};

[[nodiscard]] std::string_view to_string(FenceVerdict verdict);

struct FenceQuestion {
  const ReviewedDelete& removal;
  const KnownDecision* decision = nullptr;  // the newest of its ReplicaSet; null: none is known
  std::int32_t replicas = 0;                // spec.replicas of the ReplicaSet
  std::size_t others = 0;  // its active pods that were not chosen and are not about to go
  Timestamp mono{};
  Nanoseconds window_ns = 0;
};

[[nodiscard]] FenceVerdict judge_delete(const FenceQuestion& question);

// What depends on the delete alone; nothing: the decision counts.
[[nodiscard]] std::optional<FenceVerdict> passes_by_itself(const ReviewedDelete& removal);

// Whether marks that have not been seen yet could turn this verdict into a refusal.
[[nodiscard]] bool depends_on_unseen_marks(FenceVerdict verdict);

// Whether the decision may still cause refusals.
[[nodiscard]] bool is_in_window(const KnownDecision& decision, Timestamp mono,
                                Nanoseconds window_ns);

}  // namespace ebb::control
