// How often the Deployment controller may be held and refused.
//
// It has five workers, retries through one bucket that all Deployments share (ten a second), and
// gives up on a Deployment after 15 failures. A webhook that holds or refuses it more often would
// delay workloads that have nothing to do with pickers.
//
// One call may be held for as long as the budget allows. A few more may be held for a moment, which
// is enough for a picker that is quick: many Deployments are often scaled at once. If pickers turn
// out to be slow, no more calls are held in this way for ten seconds.
//
// Each replica counts its own calls only, so the limits are meant for the two or three replicas
// that usually run.
#pragma once  // private to its room

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/deadline_queue.h"
#include "base/now.h"

namespace ebb::control {

// Counts what happened within so many of the last seconds, up to a limit.
template <std::size_t kLimit, std::int64_t kSeconds>
class RecentCount {
 public:
  [[nodiscard]] bool is_full(Now now) const {
    const Timestamp oldest = times_.at(next_);
    return !oldest.is_zero() && now.mono < later_by(oldest, kSeconds * kNanosecondsPerSecond);
  }
  void count(Now now) {
    times_.at(next_) = now.mono;
    next_ = (next_ + 1) % kLimit;
  }

 private:
  std::array<Timestamp, kLimit> times_{};  // the last ones, as a ring
  std::size_t next_ = 0;
};

class CallLimits {
 public:
  // Calls of the Deployment controller that may be held at the same time.
  static constexpr std::size_t kMaxHeld = 1;
  // Further ones that may be held at the same time for a moment.
  static constexpr std::size_t kMaxHeldBriefly = 4;
  static constexpr Nanoseconds kMomentNs = 200 * kMillisecond;
  // Of those, how many may be held in vain within any ten seconds, before no more are held.
  static constexpr std::size_t kMaxVain = 2;
  // Calls that may be refused within any second, over all Deployments.
  static constexpr std::size_t kMaxRefusedPerSecond = 2;

  // Whether one more call may be held; give_back() ends that.
  [[nodiscard]] bool take_place() { return take(held_, kMaxHeld); }
  void give_back() { --held_; }

  // Whether one more call may be held for a moment; give_back_moment() ends that.
  [[nodiscard]] bool take_moment(Now now) {
    return !vain_.is_full(now) && take(held_briefly_, kMaxHeldBriefly);
  }
  void give_back_moment() { --held_briefly_; }
  // A call was held for a moment, and its picker had not answered then.
  void count_vain(Now now) { vain_.count(now); }

  // Whether a call may be refused now. Counts as a refusal if so.
  [[nodiscard]] bool may_refuse(Now now) {
    if (refused_.is_full(now)) return false;
    refused_.count(now);
    return true;
  }

 private:
  static bool take(std::size_t& taken, std::size_t limit) {
    if (taken >= limit) return false;
    ++taken;
    return true;
  }

  std::size_t held_ = 0;
  std::size_t held_briefly_ = 0;
  RecentCount<kMaxVain, 10> vain_;
  RecentCount<kMaxRefusedPerSecond, 1> refused_;
};

}  // namespace ebb::control
