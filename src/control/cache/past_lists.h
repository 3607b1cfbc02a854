// Whether the storage of the API server went back, as after a restore from a backup.
//
// A consistent list is never older than what has been seen, so a lagging replica of the API server
// is not the cause. One such list may be a mistake; several over a minute are believed.
#pragma once  // private to its room

#include "base/now.h"

namespace ebb::control {

class PastLists {
 public:
  static constexpr Nanoseconds kBelievedAfterNs = 60 * kNanosecondsPerSecond;
  static constexpr unsigned kBelievedLists = 5;

  // A list was older than what has been seen.
  void add(Now now) {
    if (count_++ == 0) since_ = now.mono;
  }
  // A list was not.
  void clear() { count_ = 0; }

  [[nodiscard]] bool believed(Now now) const {
    return count_ >= kBelievedLists && elapsed_ns(since_, now.mono) >= kBelievedAfterNs;
  }

 private:
  unsigned count_ = 0;  // in a row
  Timestamp since_{};
};

}  // namespace ebb::control
