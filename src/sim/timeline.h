// Virtual time: what is to happen, ordered by when, and for equal times by who asked first.
// Time passes only from one happening to the next.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "base/agenda.h"
#include "base/timestamp.h"

namespace ebb::sim {

inline constexpr Nanoseconds kMillisecond = 1'000'000;
inline constexpr Nanoseconds kSecond = kNanosecondsPerSecond;

class Timeline {
 public:
  using Action = std::function<void()>;

  explicit Timeline(Timestamp start) : now_(start), start_(start) {}

  [[nodiscard]] Timestamp now() const { return now_; }
  // Since the beginning.
  [[nodiscard]] Nanoseconds elapsed() const { return elapsed_ns(start_, now_); }

  void at(Timestamp when, Action action);
  void after(Nanoseconds delay_ns, Action action) {
    at(later_by(now_, delay_ns), std::move(action));
  }

  // Lets the next thing happen, unless that would be after `end`; then time moves to `end`.
  // Whether something happened.
  bool step(Timestamp end);

 private:
  Timestamp now_;
  Timestamp start_;
  std::uint64_t sequence_ = 0;
  std::map<std::pair<Timestamp, std::uint64_t>, Action> actions_;
};

}  // namespace ebb::sim
