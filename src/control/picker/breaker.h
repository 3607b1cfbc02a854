// Keeps a workload from waiting again and again for a picker that does not answer.
//
// After five failures in a row the breaker opens, and the picker is not called for a while. Then
// one call is let through as a probe: if it succeeds the breaker closes, otherwise it stays open
// for twice as long.
#pragma once  // private to its room

#include <algorithm>
#include <cstdint>

#include "base/deadline_queue.h"
#include "base/timestamp.h"

namespace ebb::control {

class Breaker {
 public:
  enum class State : std::uint8_t { kClosed, kOpen, kHalfOpen };

  static constexpr int kFailuresToOpen = 5;
  static constexpr Nanoseconds kFirstPauseNs = 30 * kNanosecondsPerSecond;
  static constexpr Nanoseconds kLongestPauseNs = 300 * kNanosecondsPerSecond;

  [[nodiscard]] State state() const { return state_; }
  // The breaker is in its initial state and can be dropped.
  [[nodiscard]] bool is_new() const { return state_ == State::kClosed && failures_ == 0; }

  // Whether the picker may be called now. The caller must report the result of an admitted call.
  [[nodiscard]] bool admits(Timestamp mono) {
    if (state_ == State::kClosed) return true;
    if (state_ == State::kOpen && mono >= open_until_) state_ = State::kHalfOpen;
    if (state_ == State::kOpen || probing_) return false;
    probing_ = true;
    return true;
  }

  void succeeded() { *this = Breaker(); }

  void failed(Timestamp mono) {
    // A call that started before the breaker opened adds no information.
    if (state_ == State::kOpen) return;
    probing_ = false;
    if (state_ == State::kClosed && ++failures_ < kFailuresToOpen) return;
    pause_ns_ = pause_ns_ == 0 ? kFirstPauseNs : std::min(2 * pause_ns_, kLongestPauseNs);
    state_ = State::kOpen;
    open_until_ = later_by(mono, pause_ns_);
  }

  // The picker was not called after all: the next call is admitted in its place.
  void inconclusive() { probing_ = false; }

 private:
  State state_ = State::kClosed;
  int failures_ = 0;
  bool probing_ = false;  // of kHalfOpen: a probe is in flight
  Nanoseconds pause_ns_ = 0;
  Timestamp open_until_;
};

}  // namespace ebb::control
