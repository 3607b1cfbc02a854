// All faults of the world, and their probabilities in a run.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/core/random.h"

namespace ebb::sim {

enum class Fault : std::uint8_t {
  // Of an API call.
  kDelayed,            // executed or answered late, within its deadline
  kLostBefore,         // never executed, never answered
  kLostAfter,          // executed, never answered
  kLate,               // executed shortly before the deadline, answered after it
  kDuplicated,         // executed twice; the first answer counts
  kConflict,           // 409, not executed
  kForbidden,          // 403, not executed
  kDenied,             // by a webhook, in misleading words; not executed
  kThrottled,          // 429
  kThrottledFor,       // 429 with Retry-After
  kServerErrorBefore,  // 500, not executed
  kServerErrorAfter,   // 500, executed
  kServerErrorFor,     // 503 with Retry-After, not executed
  kRefused,            // no connection
  // Of a watch stream.
  kLagging,        // each piece arrives late
  kTornPieces,     // pieces end in the middle of events
  kStale,          // served by a replica that has fallen behind: nothing new for a while
  kSilent,         // nothing arrives any more, without an error
  kCut,            // the connection breaks, anywhere
  kRestarted,      // it ends early, but cleanly
  kGone,           // 410 instead of a stream
  kGoneMidStream,  // the stream ends with an ERROR event 410
  kExpired,        // history is short, so that the server itself says 410
  kGarbled,        // an object in it, or in a list, cannot be decoded
  // Of a controller.
  kCrash,
  kCrashBetweenEffects,
  kPause,      // pauses for longer than its lease lasts
  kClockJump,  // its wall clock, not the monotonic one
  kStop,       // a clean shutdown
  // Of a ranker in its own process, also in runs without controller faults.
  kRankerSlow,   // pauses
  kRankerCrash,  // between two of its writes
  kRankerDead,   // for a long time
  // Of a picker call.
  kPickerLate,       // answers late, but within the time budget
  kPickerTooLate,    // answers after the time budget, and the timeout is not reported
  kPickerSilent,     // never answers
  kPickerWrong,      // names other pods, all pods, or a pod twice
  kPickerEmpty,      // names no pods
  kPickerMalformed,  // answers in another format
  kPickerError,      // 500
  kPickerNotFound,   // 404
  kPickerThrottled,  // 429 with Retry-After
  kPickerTls,        // has the wrong certificate
  kPickerOversize,   // exceeds the size limit
  kPickerRefused,    // no connection
  kPickerOutage,     // fails for a while, each time in the same way
  // Changes while a picker call is in flight, before the answer.
  kScaledMeanwhile,        // the ReplicaSet wants more pods
  kKilledMeanwhile,        // candidates are gone, or replaced under the same names
  kRecreatedMeanwhile,     // the ReplicaSet was recreated under the same name
  kUnconfiguredMeanwhile,  // the picker was removed
  kCrashMeanwhile,         // the calling process has ended
  kLast,                   // not a fault: the number of faults
};
inline constexpr auto kFaults = static_cast<std::size_t>(Fault::kLast);

[[nodiscard]] std::string_view to_string(Fault fault);
// Whether the fault affects only picker calls.
[[nodiscard]] constexpr bool of_pickers(Fault fault) { return fault >= Fault::kPickerLate; }
// Whether the fault affects only rankers.
[[nodiscard]] constexpr bool of_rankers(Fault fault) {
  return fault >= Fault::kRankerSlow && fault <= Fault::kRankerDead;
}

// How often each fault occurred.
class FaultCounts {
 public:
  void add(Fault fault) { ++counts_[static_cast<std::size_t>(fault)]; }
  void add(const FaultCounts& other);
  [[nodiscard]] std::uint64_t operator[](Fault fault) const {
    return counts_[static_cast<std::size_t>(fault)];
  }

 private:
  std::array<std::uint64_t, kFaults> counts_{};
};

// The probability of each fault wherever it can occur.
class FaultProfile {
 public:
  [[nodiscard]] double operator[](Fault fault) const {
    return chances_[static_cast<std::size_t>(fault)];
  }
  void set(Fault fault, double chance) { chances_[static_cast<std::size_t>(fault)] = chance; }

 private:
  std::array<double, kFaults> chances_{};
};

// Each run has some kinds of fault and not others, and some of them often: this reaches more states
// than a few faults of every kind in every run.
[[nodiscard]] FaultProfile draw_profile(Random& random);
// Keeps only the faults of pickers and rankers, so that nothing else delays a decision.
[[nodiscard]] FaultProfile only_of_helpers(const FaultProfile& profile);

}  // namespace ebb::sim
