// A write of the ranker to one object, until the cache shows it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/agenda.h"
#include "base/now.h"
#include "control/call.h"
#include "control/object_json.h"
#include "control/work_queue.h"

namespace ebb::control {

class RankWrite {
 public:
  void begin() { under_way_ = true; }
  [[nodiscard]] bool under_way() const { return under_way_; }

  // Whether the cache, which shows the object as of `shown`, has yet to show what was written.
  // Revisions that are no numbers cannot be compared.
  [[nodiscard]] bool unseen(model::Revision shown) const {
    return under_way_ || (shown != 0 && shown < awaited_);
  }
  // It failed, and is not to be tried again yet.
  [[nodiscard]] Timestamp not_before() const { return not_before_; }
  [[nodiscard]] bool waits(Now now) const { return now.mono < not_before_; }
  // Nothing has to be remembered of it.
  [[nodiscard]] bool over(model::Revision shown) const { return !unseen(shown) && failures_ == 0; }

  void succeeded(const Answer& answer) {
    under_way_ = false;
    failures_ = 0;
    not_before_ = {};
    const auto written = read_written(answer);
    awaited_ = written ? written->revision : 0;
  }
  // Nobody is to blame: it was not sent.
  void dropped() { under_way_ = false; }
  void failed(Now now) {
    under_way_ = false;
    not_before_ = later_by(now.mono, retry_delay_ns(failures_++));
  }

 private:
  bool under_way_ = false;
  model::Revision awaited_ = 0;
  unsigned failures_ = 0;
  Timestamp not_before_{};
};

// What was not sent, because it was not right any more or the lease was not held, is looked at
// again.
inline constexpr Nanoseconds kNotSentAgainNs = kNanosecondsPerSecond / 20;

// What has become of a write, for whoever asked for it.
struct RankWriteEnd {
  Key group{};
  bool look_again = false;         // now
  Nanoseconds again_after_ns = 0;  // or then
  std::string refusal{};           // why the API server would not have it; empty: it would
};

// How many writes of the ranker may be under way, all groups together: what waits here is worked
// out anew if something changes, what was sent is not.
class RankSlots {
 public:
  explicit RankSlots(std::size_t most) : most_(most) {}
  [[nodiscard]] bool any() const { return taken_ < most_; }
  void take() { ++taken_; }
  void give_back() { --taken_; }

 private:
  std::size_t most_;
  std::size_t taken_ = 0;
};

// A refusal that says nothing about the write itself: the object is gone, or has changed since it
// was looked at. News of that are on their way.
[[nodiscard]] inline bool object_has_moved_on(const Answer& answer) {
  return answer.outcome == Answer::Outcome::kAnswered &&
         (answer.response.code == 404 || answer.response.code == 409);
}

}  // namespace ebb::control
