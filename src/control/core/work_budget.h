// Limits how much a controller does before others have a turn: other controllers, answers, and
// above all the lease, which the same thread renews. Work is counted, not timed, so that runs are
// reproducible; a unit is about a tenth of a microsecond.
//
// After a turn that used up its budget there is a pause before the next, however slow the machine
// is and however many answers arrive meanwhile, each of which runs the controllers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/deadline_queue.h"
#include "base/now.h"

namespace ebb::control {

inline constexpr std::uint64_t kUnitsPerRun = 50'000;
inline constexpr Nanoseconds kBetweenRunsNs = 2'000'000;

// Documents are parsed, and serialized, at some 160 MB/s. A tenant decides how large they are.
[[nodiscard]] constexpr std::uint64_t units_to_parse(std::size_t bytes) {
  constexpr std::size_t kBytesPerUnit = 16;
  return bytes / kBytesPerUnit;
}

class WorkBudget {
 public:
  // Whether a turn may start now.
  [[nodiscard]] bool begin(Now now) {
    if (spent()) {
      if (resume_at_.is_zero()) resume_at_ = later_by(now.mono, kBetweenRunsNs);
      if (now.mono < resume_at_) return false;
    }
    used_ = 0;
    resume_at_ = {};
    return true;
  }

  void spend(std::uint64_t units) { used_ += units; }
  [[nodiscard]] bool spent() const { return used_ >= kUnitsPerRun; }
  [[nodiscard]] std::uint64_t used() const { return used_; }

  // When work that is due at `due` can be done; the zero time: there is none.
  [[nodiscard]] Timestamp when(Timestamp due) const {
    if (due.is_zero() || !spent()) return due;
    // At once: the next begin() sees how long the turn took.
    return resume_at_.is_zero() ? kRightAway : std::max(due, resume_at_);
  }

 private:
  std::uint64_t used_ = 0;
  Timestamp resume_at_{};  // zero: the turn has just ended
};

}  // namespace ebb::control
