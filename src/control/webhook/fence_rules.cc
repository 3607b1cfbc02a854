#include "control/webhook/fence_rules.h"

#include <algorithm>

#include "base/deadline_queue.h"

namespace ebb::control {

std::string_view to_string(FenceVerdict verdict) {
  switch (verdict) {
    case FenceVerdict::kRefused:
      return "refused";
    case FenceVerdict::kUnconcerned:
      return "unconcerned";
    case FenceVerdict::kNotServing:
      return "not serving";
    case FenceVerdict::kDisrupted:
      return "disrupted";
    case FenceVerdict::kOtherOptions:
      return "other options";
    case FenceVerdict::kAllGo:
      return "all go";
    case FenceVerdict::kNoDecision:
      return "no decision";
    case FenceVerdict::kWindowOver:
      return "window over";
    case FenceVerdict::kVictim:
      return "victim";
    case FenceVerdict::kEnoughOthers:
      return "enough others";
    case FenceVerdict::kAllowedBefore:
      break;
  }
  return "allowed before";
}

bool is_in_window(const KnownDecision& decision, Timestamp mono, Nanoseconds window_ns) {
  return mono < later_by(decision.first_seen, window_ns);
}

std::optional<FenceVerdict> passes_by_itself(const ReviewedDelete& removal) {
  if (removal.set.empty()) return FenceVerdict::kUnconcerned;
  if (!removal.serving || removal.deleting) return FenceVerdict::kNotServing;
  if (removal.disrupted) return FenceVerdict::kDisrupted;
  if (!removal.plain) return FenceVerdict::kOtherOptions;
  return std::nullopt;
}

bool depends_on_unseen_marks(FenceVerdict verdict) {
  return verdict == FenceVerdict::kNoDecision || verdict == FenceVerdict::kWindowOver ||
         verdict == FenceVerdict::kEnoughOthers;
}

FenceVerdict judge_delete(const FenceQuestion& question) {
  if (const auto passes = passes_by_itself(question.removal)) return *passes;
  if (question.replicas <= 0) return FenceVerdict::kAllGo;
  if (question.decision == nullptr) return FenceVerdict::kNoDecision;
  const KnownDecision& decision = *question.decision;
  if (decision.victims.contains(question.removal.pod_uid)) return FenceVerdict::kVictim;
  if (!is_in_window(decision, question.mono, question.window_ns)) return FenceVerdict::kWindowOver;
  const std::int32_t kept = std::min(question.replicas, decision.size);
  if (question.others > static_cast<std::size_t>(std::max(kept, 0))) {
    return FenceVerdict::kEnoughOthers;
  }
  return FenceVerdict::kRefused;
}

}  // namespace ebb::control
