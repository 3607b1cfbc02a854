// Namespaces in which writes fail for now. Each waits on its own, longer after each failure, so
// that a namespace whose quota or webhook refuses everything does not delay the others.
#pragma once  // private to its room

#include <algorithm>
#include <map>
#include <string>

#include "base/deadline_queue.h"
#include "base/now.h"

namespace ebb::control {

class NamespacePauses {
 public:
  void failed(const std::string& namespace_name, Now now) {
    if (pauses_.size() >= kMaxPauses) forget_ended(now);
    Pause& pause = pauses_[namespace_name];
    const Nanoseconds delay = std::min(kFirstNs << std::min(pause.failures, 10U), kLongestNs);
    ++pause.failures;
    pause.until = later_by(now.mono, delay);
  }
  void succeeded(const std::string& namespace_name) { pauses_.erase(namespace_name); }

  [[nodiscard]] bool paused(const std::string& namespace_name, Now now) const {
    const auto found = pauses_.find(namespace_name);
    return found != pauses_.end() && now.mono < found->second.until;
  }
  // When the next pause ends after `now`; the zero time: there is none.
  [[nodiscard]] Timestamp next_end(Timestamp mono) const {
    Timestamp next;
    for (const auto& [name, pause] : pauses_) {
      if (pause.until > mono) next = sooner(next, pause.until);
    }
    return next;
  }

 private:
  static constexpr Nanoseconds kFirstNs = 2 * kNanosecondsPerSecond;
  static constexpr Nanoseconds kLongestNs = 120 * kNanosecondsPerSecond;
  // Ended pauses only remember the number of failures.
  static constexpr std::size_t kMaxPauses = 1'000;

  struct Pause {
    Timestamp until{};
    unsigned failures = 0;
  };

  void forget_ended(Now now) {
    std::erase_if(pauses_, [now](const auto& each) { return each.second.until <= now.mono; });
  }

  std::map<std::string, Pause> pauses_;
};

}  // namespace ebb::control
