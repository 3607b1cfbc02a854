// Keeps a workload from waiting again and again for a picker that does not answer.
//
// After five failures in a row nobody is asked for a while. Then one question is let through to
// see: if it is answered all is as before, otherwise the next wait is twice as long.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/agenda.h"
#include "base/timestamp.h"

namespace ebb::control {

class Breaker {
 public:
  enum class State : std::uint8_t { kClosed, kOpen, kHalfOpen };

  static constexpr int kFailuresToOpen = 5;
  static constexpr Nanoseconds kFirstPauseNs = 30 * kNanosecondsPerSecond;
  static constexpr Nanoseconds kLongestPauseNs = 300 * kNanosecondsPerSecond;

  [[nodiscard]] State state() const { return state_; }
  // There is nothing to remember.
  [[nodiscard]] bool is_new() const { return state_ == State::kClosed && failures_ == 0; }

  // Whether the picker may be asked now; whoever is let through has to say how it went.
  [[nodiscard]] bool admits(Timestamp mono) {
    if (state_ == State::kClosed) return true;
    if (state_ == State::kOpen && mono >= open_until_) state_ = State::kHalfOpen;
    if (state_ == State::kOpen || probing_) return false;
    probing_ = true;
    return true;
  }

  void succeeded() { *this = Breaker(); }

  void failed(Timestamp mono) {
    // One that began before it opened says nothing new.
    if (state_ == State::kOpen) return;
    probing_ = false;
    if (state_ == State::kClosed && ++failures_ < kFailuresToOpen) return;
    pause_ns_ = pause_ns_ == 0 ? kFirstPauseNs : std::min(2 * pause_ns_, kLongestPauseNs);
    state_ = State::kOpen;
    open_until_ = later_by(mono, pause_ns_);
  }

  // The picker was not asked after all: the next one is let through in its place.
  void came_to_nothing() { probing_ = false; }

 private:
  State state_ = State::kClosed;
  int failures_ = 0;
  bool probing_ = false;  // of kHalfOpen: somebody is asking
  Nanoseconds pause_ns_ = 0;
  Timestamp open_until_;
};

}  // namespace ebb::control
