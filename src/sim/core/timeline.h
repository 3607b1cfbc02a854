// Virtual time: scheduled events, ordered by time and then by the order of scheduling. Time
// advances only from one event to the next.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "base/deadline_queue.h"
#include "base/timestamp.h"

namespace ebb::sim {

class Timeline {
 public:
  using Action = std::function<void()>;

  explicit Timeline(Timestamp start) : now_(start), start_(start) {}

  [[nodiscard]] Timestamp now() const { return now_; }
  // The time since the start.
  [[nodiscard]] Nanoseconds elapsed() const { return elapsed_ns(start_, now_); }

  void at(Timestamp when, Action action);
  void after(Nanoseconds delay_ns, Action action) {
    at(later_by(now_, delay_ns), std::move(action));
  }

  // Runs the next event, unless it is after `end`; then time advances to `end`. Returns whether an
  // event ran.
  bool step(Timestamp end);

 private:
  Timestamp now_;
  Timestamp start_;
  std::uint64_t sequence_ = 0;
  std::map<std::pair<Timestamp, std::uint64_t>, Action> actions_;
};

}  // namespace ebb::sim
