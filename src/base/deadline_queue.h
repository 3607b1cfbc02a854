// A queue of keys with deadlines. Each key has at most one deadline; equal deadlines come up in the
// order of their keys, so that a run can be repeated exactly.
#pragma once

#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/timestamp.h"

namespace ebb {

// For work that is due already: before all other times, but not the zero time.
inline constexpr Timestamp kRightAway =
    Timestamp::from_nanoseconds(std::numeric_limits<Nanoseconds>::min() + 1);

[[nodiscard]] constexpr Timestamp later_by(Timestamp time, Nanoseconds delay_ns) {
  Nanoseconds total = 0;
  if (__builtin_add_overflow(time.since_epoch_ns(), delay_ns, &total)) return time;
  return Timestamp::from_nanoseconds(total);
}

// Returns the earlier of two times. The zero time means never.
[[nodiscard]] constexpr Timestamp sooner(Timestamp a, Timestamp b) {
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  return a < b ? a : b;
}

// The delay before a failed operation is retried.
[[nodiscard]] constexpr Nanoseconds retry_delay_ns(unsigned failures) {
  constexpr Nanoseconds kFirst = kNanosecondsPerSecond / 4;
  constexpr Nanoseconds kLongest = 30 * kNanosecondsPerSecond;
  const Nanoseconds delay = kFirst << (failures < 10 ? failures : 10U);
  return delay < kLongest ? delay : kLongest;
}

template <class Key>
class DeadlineQueue {
 public:
  // Replaces the deadline of the key. The zero time removes it.
  void set(const Key& key, Timestamp deadline) {
    const auto known = deadlines_.find(key);
    if (known != deadlines_.end()) {
      if (known->second == deadline) return;
      queue_.erase({known->second, key});
      deadlines_.erase(known);
    }
    if (deadline.is_zero()) return;
    deadlines_.emplace(key, deadline);
    queue_.emplace(deadline, key);
  }

  void erase(const Key& key) { set(key, Timestamp{}); }

  // Removes and returns the keys whose deadline is not after `now`, up to `most`.
  [[nodiscard]] std::vector<Key> take_due(
      Timestamp now, std::size_t most = std::numeric_limits<std::size_t>::max()) {
    std::vector<Key> due;
    while (!queue_.empty() && queue_.begin()->first <= now && due.size() < most) {
      due.push_back(queue_.begin()->second);
      deadlines_.erase(queue_.begin()->second);
      queue_.erase(queue_.begin());
    }
    return due;
  }

  // The zero time if the key has none.
  [[nodiscard]] Timestamp deadline_of(const Key& key) const {
    const auto known = deadlines_.find(key);
    return known == deadlines_.end() ? Timestamp{} : known->second;
  }
  // The first deadline, or the zero time.
  [[nodiscard]] Timestamp next() const {
    return queue_.empty() ? Timestamp{} : queue_.begin()->first;
  }
  [[nodiscard]] std::size_t size() const { return queue_.size(); }

 private:
  std::set<std::pair<Timestamp, Key>> queue_;
  std::map<Key, Timestamp> deadlines_;
};

}  // namespace ebb
