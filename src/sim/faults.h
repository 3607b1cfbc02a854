// Everything that can go wrong in the world, and how likely it is in a run.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/dice.h"

namespace ebb::sim {

enum class Fault : std::uint8_t {
  // Of a call.
  kDelayed,            // executed or answered late, within its deadline
  kLostBefore,         // never executed, nothing comes back
  kLostAfter,          // executed, nothing comes back
  kLate,               // executed shortly before the deadline, the answer comes after it
  kDuplicated,         // executed twice; the first answer counts
  kConflict,           // 409, not executed
  kForbidden,          // 403, not executed
  kThrottled,          // 429
  kThrottledFor,       // 429 with Retry-After
  kServerErrorBefore,  // 500, not executed
  kServerErrorAfter,   // 500, executed
  kServerErrorFor,     // 503 with Retry-After, not executed
  kRefused,            // no connection
  // Of a stream.
  kLagging,        // each piece comes late
  kTornPieces,     // pieces end in the middle of events
  kStale,          // served by a replica that has fallen behind: nothing new for a while
  kSilent,         // nothing comes any more, and nobody says so
  kCut,            // the connection breaks, anywhere
  kRestarted,      // it ends in good order, early
  kGone,           // 410 instead of a stream
  kGoneMidStream,  // the stream ends with an ERROR event 410
  kExpired,        // history is short, so that the server itself says 410
  // Of a controller.
  kCrash,
  kCrashBetweenEffects,
  kPause,      // it stands still, longer than its lease lasts
  kClockJump,  // its wall clock, not the monotonic one
  kStop,       // in good order
  // Of a ranker that is a process of its own, also where controllers are spared.
  kRankerSlow,   // it stands still
  kRankerCrash,  // between two of its writes
  kRankerDead,   // for long
  // Of a question to a picker.
  kPickerLate,       // answers not at once, but within the budget
  kPickerTooLate,    // answers after the budget, and nobody says meanwhile that it was used up
  kPickerSilent,     // never answers
  kPickerWrong,      // names what was not asked about, everything, or something twice
  kPickerEmpty,      // names nobody
  kPickerMalformed,  // answers something else
  kPickerError,      // 500
  kPickerNotFound,   // 404
  kPickerThrottled,  // 429 with Retry-After
  kPickerTls,        // is not who it should be
  kPickerOversize,   // answers more than anybody reads
  kPickerRefused,    // no connection
  kPickerOutage,     // fails for a while, each time in the same way
  // What happens while a picker thinks, before it answers.
  kScaledMeanwhile,        // the ReplicaSet wants more pods
  kKilledMeanwhile,        // candidates are gone, or others by the same names are there
  kRecreatedMeanwhile,     // the ReplicaSet is another one by the same name
  kUnconfiguredMeanwhile,  // there is no picker any more
  kCrashMeanwhile,         // whoever asked is no more
  kLast,                   // not a fault: their number
};
inline constexpr auto kFaults = static_cast<std::size_t>(Fault::kLast);

[[nodiscard]] std::string_view to_string(Fault fault);
// Whether it befalls questions to pickers, and nothing else.
[[nodiscard]] constexpr bool of_pickers(Fault fault) { return fault >= Fault::kPickerLate; }
// Whether it befalls rankers, and nothing else.
[[nodiscard]] constexpr bool of_rankers(Fault fault) {
  return fault >= Fault::kRankerSlow && fault <= Fault::kRankerDead;
}

// How often each fault was met.
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

// The probability of each fault where it can occur.
class FaultProfile {
 public:
  [[nodiscard]] double operator[](Fault fault) const {
    return chances_[static_cast<std::size_t>(fault)];
  }
  void set(Fault fault, double chance) { chances_[static_cast<std::size_t>(fault)] = chance; }

 private:
  std::array<double, kFaults> chances_{};
};

// Each run has some kinds of fault and not others, some of them often: that reaches further
// than a little of everything in every run.
[[nodiscard]] FaultProfile draw_profile(Dice& dice);
// The same without what does not befall pickers or rankers: then nothing else delays a decision.
[[nodiscard]] FaultProfile only_of_helpers(const FaultProfile& profile);

}  // namespace ebb::sim
