// Reports the state of the thread that runs a process to other threads.
#pragma once  // private to its room

#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/timestamp.h"

namespace ebb::runtime {

// A loop without a turn for this long is not ready: it serves nothing.
inline constexpr Nanoseconds kReadyStillnessNs = 10 * kNanosecondsPerSecond;
// A loop without a turn for this long counts as stuck.
inline constexpr Nanoseconds kLongestStillnessNs = 30 * kNanosecondsPerSecond;

class Health {
 public:
  void turned(Timestamp mono) { last_turn_ns_ = mono.since_epoch_ns(); }
  void set_ready(bool ready) { ready_ = ready; }

  // A controller that must not act for now, because another controller may act on the same objects.
  struct Idle {
    std::string controller{};
    std::string why{};  // the reason and what to do about it
  };
  void set_idle(std::vector<Idle> idle) {
    const MutexLock lock(mutex_);
    idle_ = std::move(idle);
  }

  // The time since the last turn. Before the first turn it is 0, because the process is still
  // starting.
  [[nodiscard]] Nanoseconds still_ns(Timestamp mono) const {
    const Nanoseconds last = last_turn_ns_;
    return last == 0 ? 0 : mono.since_epoch_ns() - last;
  }
  [[nodiscard]] bool is_alive(Timestamp mono) const { return still_ns(mono) < kLongestStillnessNs; }
  // Synced, or standing by to take over.
  [[nodiscard]] bool is_ready() const { return ready_; }
  // Empty if all controllers act, or if another replica leads.
  [[nodiscard]] std::vector<Idle> idle() const {
    const MutexLock lock(mutex_);
    return idle_;
  }

 private:
  std::atomic<Nanoseconds> last_turn_ns_ = 0;
  std::atomic<bool> ready_ = false;
  mutable Mutex mutex_;
  std::vector<Idle> idle_ EBB_GUARDED_BY(mutex_);
};

}  // namespace ebb::runtime
