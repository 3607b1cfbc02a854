// A write of the ranker to one object, until the cache shows it.
#pragma once  // private to its room

#include <cstdint>
#include <optional>
#include <string>

#include "base/deadline_queue.h"
#include "base/now.h"
#include "control/core/call.h"
#include "control/core/json_document.h"
#include "control/core/object_json.h"
#include "control/core/work_queue.h"

namespace ebb::control {

class RankWrite {
 public:
  void begin() { in_flight_ = true; }
  [[nodiscard]] bool in_flight() const { return in_flight_; }

  // Whether the cache, which has the object at revision `shown`, does not show the write yet.
  // Revisions that are not numbers cannot be compared.
  [[nodiscard]] bool unseen(model::Revision shown) const {
    return in_flight_ || (shown != 0 && shown < awaited_);
  }
  // It failed, and must not be retried before this time.
  [[nodiscard]] Timestamp not_before() const { return not_before_; }
  [[nodiscard]] bool waits(Now now) const { return now.mono < not_before_; }
  // No state needs to be kept.
  [[nodiscard]] bool over(model::Revision shown) const { return !unseen(shown) && failures_ == 0; }

  void succeeded(const Answer& answer) {
    in_flight_ = false;
    failures_ = 0;
    not_before_ = {};
    const auto written = read_written(answer);
    awaited_ = written ? written->revision : 0;
  }
  // It was not sent, which does not count as a failure.
  void dropped() { in_flight_ = false; }
  void failed(Now now) {
    in_flight_ = false;
    not_before_ = later_by(now.mono, retry_delay_ns(failures_++));
  }

 private:
  bool in_flight_ = false;
  model::Revision awaited_ = 0;
  unsigned failures_ = 0;
  Timestamp not_before_{};
};

// A write that was not sent, because it was outdated or the lease was not held, is planned again
// after this time.
inline constexpr Nanoseconds kNotSentAgainNs = kNanosecondsPerSecond / 20;

// The result of a write, for the part that requested it.
struct RankWriteResult {
  Key group{};
  bool requeue = false;              // at once
  Nanoseconds requeue_after_ns = 0;  // or after this delay
  std::string refusal{};             // the API server's error; empty: it was accepted
};

// Limits the in-flight writes of the ranker, across all groups: a waiting write is recomputed if
// something changes, one that was sent is not.
class RankSlots {
 public:
  explicit RankSlots(std::size_t most) : max_(most) {}
  [[nodiscard]] bool any() const { return taken_ < max_; }
  void take() { ++taken_; }
  void give_back() { --taken_; }

 private:
  std::size_t max_;
  std::size_t taken_ = 0;
};

// A refusal that says nothing about the write itself: the object is gone, or has changed since it
// was read. The cache will show that.
[[nodiscard]] inline bool object_has_moved_on(const Answer& answer) {
  return answer.outcome == Answer::Outcome::kAnswered &&
         (answer.response.code == 404 || answer.response.code == 409) &&
         !is_admission_denial(answer);
}

}  // namespace ebb::control
