// How the thread that runs a process is doing, for whoever asks from another thread.
#pragma once

#include <atomic>

#include "base/timestamp.h"

namespace ebb::runtime {

// Whether the loop still turns.
inline constexpr Nanoseconds kLongestStillnessNs = 30 * kNanosecondsPerSecond;

class Health {
 public:
  void turned(Timestamp mono) { last_turn_ns_ = mono.since_epoch_ns(); }
  void set_ready(bool ready) { ready_ = ready; }

  // Before the first turn it counts as alive: it is being started.
  [[nodiscard]] bool is_alive(Timestamp mono) const {
    const Nanoseconds last = last_turn_ns_;
    return last == 0 || mono.since_epoch_ns() - last < kLongestStillnessNs;
  }
  // Synced, or standing by to take over.
  [[nodiscard]] bool is_ready() const { return ready_; }

 private:
  std::atomic<Nanoseconds> last_turn_ns_ = 0;
  std::atomic<bool> ready_ = false;
};

}  // namespace ebb::runtime
