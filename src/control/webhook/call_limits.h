// How often the Deployment controller may be held and refused.
//
// It has five workers, retries through one bucket that all Deployments share, and gives up on a
// Deployment after 15 failures. A webhook that holds or refuses it more often would delay workloads
// that have nothing to do with pickers.
#pragma once  // private to its room

#include <array>
#include <cstddef>

#include "base/deadline_queue.h"
#include "base/now.h"

namespace ebb::control {

class CallLimits {
 public:
  // Calls of the Deployment controller that may be held at the same time.
  static constexpr std::size_t kMaxHeld = 2;
  // Calls that may be refused within any second, over all Deployments.
  static constexpr std::size_t kMaxRefusedPerSecond = 5;

  // Whether one more call may be held; give_back() ends that.
  [[nodiscard]] bool take_place() {
    if (held_ >= kMaxHeld) return false;
    ++held_;
    return true;
  }
  void give_back() { --held_; }

  // Whether a call may be refused now. Counts as a refusal if so.
  [[nodiscard]] bool may_refuse(Now now) {
    Timestamp& oldest = refused_.at(next_);
    if (!oldest.is_zero() && now.mono < later_by(oldest, kNanosecondsPerSecond)) return false;
    oldest = now.mono;
    next_ = (next_ + 1) % refused_.size();
    return true;
  }

 private:
  std::size_t held_ = 0;
  std::array<Timestamp, kMaxRefusedPerSecond> refused_{};  // the last ones, as a ring
  std::size_t next_ = 0;
};

}  // namespace ebb::control
