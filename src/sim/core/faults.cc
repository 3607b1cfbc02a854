#include "sim/core/faults.h"

namespace ebb::sim {

std::string_view to_string(Fault fault) {
  static constexpr std::array<std::string_view, kFaults> kNames = {
      "delayed",
      "lost before execution",
      "lost after execution",
      "late",
      "duplicated",
      "conflict",
      "forbidden",
      "denied by a webhook",
      "throttled",
      "throttled with Retry-After",
      "server error before execution",
      "server error after execution",
      "server error with Retry-After",
      "connection refused",
      "lagging stream",
      "torn pieces",
      "stale stream",
      "silent stream",
      "cut stream",
      "restarted stream",
      "410 instead of a stream",
      "410 in a stream",
      "history too short",
      "garbled object",
      "crash",
      "crash between effects",
      "pause",
      "clock jump",
      "stop",
      "ranker slow",
      "ranker crash between writes",
      "ranker dead",
      "picker late",
      "picker too late",
      "picker silent",
      "picker names wrong pods",
      "picker names no pods",
      "picker malformed",
      "picker error",
      "picker not found",
      "picker throttled",
      "picker not trusted",
      "picker oversize",
      "picker refused",
      "picker outage",
      "scaled up while a picker thinks",
      "killed while a picker thinks",
      "recreated while a picker thinks",
      "unconfigured while a picker thinks",
      "crash while a picker thinks",
  };
  return kNames[static_cast<std::size_t>(fault)];
}

void FaultCounts::add(const FaultCounts& other) {
  for (std::size_t i = 0; i < kFaults; ++i) counts_[i] += other.counts_[i];
}

FaultProfile draw_profile(Random& random) {
  // The maximum useful probability: with every second call lost, nothing ever happens.
  struct Most {
    Fault fault;
    double chance;
  };
  static constexpr Most kMax[] = {
      {Fault::kDelayed, 0.5},
      {Fault::kLostBefore, 0.2},
      {Fault::kLostAfter, 0.2},
      {Fault::kLate, 0.15},
      {Fault::kDuplicated, 0.2},
      {Fault::kConflict, 0.2},
      {Fault::kForbidden, 0.1},
      {Fault::kDenied, 0.15},
      {Fault::kThrottled, 0.1},
      {Fault::kThrottledFor, 0.15},
      {Fault::kServerErrorBefore, 0.15},
      {Fault::kServerErrorAfter, 0.15},
      {Fault::kServerErrorFor, 0.1},
      {Fault::kRefused, 0.2},
      {Fault::kLagging, 0.8},
      {Fault::kTornPieces, 0.8},
      {Fault::kStale, 0.05},
      {Fault::kSilent, 0.01},
      {Fault::kCut, 0.05},
      {Fault::kRestarted, 0.05},
      {Fault::kGone, 0.2},
      {Fault::kGoneMidStream, 0.03},
      {Fault::kExpired, 1},
      {Fault::kGarbled, 0.05},
      {Fault::kCrash, 0.5},
      {Fault::kCrashBetweenEffects, 0.5},
      {Fault::kPause, 0.3},
      {Fault::kClockJump, 0.3},
      {Fault::kStop, 0.3},
      {Fault::kRankerSlow, 0.6},
      {Fault::kRankerCrash, 0.6},
      {Fault::kRankerDead, 0.3},
      {Fault::kPickerLate, 0.6},
      {Fault::kPickerTooLate, 0.4},
      {Fault::kPickerSilent, 0.4},
      {Fault::kPickerWrong, 0.5},
      {Fault::kPickerEmpty, 0.3},
      {Fault::kPickerMalformed, 0.3},
      {Fault::kPickerError, 0.4},
      {Fault::kPickerNotFound, 0.3},
      {Fault::kPickerThrottled, 0.4},
      {Fault::kPickerTls, 0.3},
      {Fault::kPickerOversize, 0.3},
      {Fault::kPickerRefused, 0.4},
      {Fault::kPickerOutage, 0.3},
      {Fault::kScaledMeanwhile, 0.3},
      {Fault::kKilledMeanwhile, 0.3},
      {Fault::kRecreatedMeanwhile, 0.15},
      {Fault::kUnconfiguredMeanwhile, 0.15},
      {Fault::kCrashMeanwhile, 0.2},
  };
  static_assert(std::size(kMax) == kFaults);
  FaultProfile profile;
  const double calm = random.chance(0.1) ? 0.1 : 1;
  for (const Most& most : kMax) {
    if (!random.chance(0.4)) continue;
    const double share = 0.05 + 0.95 * static_cast<double>(random.below(1000)) / 1000;
    profile.set(most.fault, most.chance * share * calm);
  }
  return profile;
}

FaultProfile only_of_helpers(const FaultProfile& profile) {
  FaultProfile only;
  for (std::size_t i = 0; i < kFaults; ++i) {
    const auto fault = static_cast<Fault>(i);
    // A crash affects the controller, whenever it happens.
    const bool of_helpers = of_pickers(fault) || of_rankers(fault);
    if (of_helpers && fault != Fault::kCrashMeanwhile) only.set(fault, profile[fault]);
  }
  return only;
}

}  // namespace ebb::sim
