// Decides what a reflector does about objects that cannot be decoded: when it logs them, and when
// it lists everything again because the state of one is unknown. An object that stays undecodable
// must not cost a list a minute for ever, so the lists become rare.
#pragma once  // private to its room

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/deadline_queue.h"
#include "base/now.h"
#include "control/core/retry_backoff.h"

namespace ebb::control {

class Unreadable {
 public:
  // The line to log, or nothing if one was logged less than a minute ago: a tenant can update an
  // object with an invalid value as often as it likes. Damaged: the state of the object is unknown.
  [[nodiscard]] std::optional<std::string> complain(std::string_view problem, bool damaged,
                                                    Now now) {
    if (!complained_at_.is_zero() && elapsed_ns(complained_at_, now.mono) < kBetweenComplaintsNs) {
      ++withheld_;
      return std::nullopt;
    }
    complained_at_ = now.mono;
    std::string text(problem);
    if (damaged) text += "; its last known state is kept";
    const std::uint64_t withheld = std::exchange(withheld_, 0);
    if (withheld > 0) text += fmt::format(" (and {} more since the last one)", withheld);
    return text;
  }

  // An object is damaged. `pace` supplies the random part of the delay.
  void list_again_later(RetryBackoff& pace, Now now) {
    list_damaged_ = true;
    if (!list_at_.is_zero()) return;
    const Nanoseconds base =
        std::min(kFirstDelayNs << std::min(damaged_lists_, 10U), kLongestDelayNs);
    const Nanoseconds urgent_base = std::min(base, kLongestUrgentDelayNs);
    const auto extra = static_cast<Nanoseconds>(pace.below(static_cast<std::uint64_t>(base / 2)));
    list_at_ = later_by(now.mono, base + extra);
    urgent_list_at_ = later_by(now.mono, urgent_base + extra % (urgent_base / 2));
  }
  void list_begins() {
    list_damaged_ = false;
    list_at_ = urgent_list_at_ = {};
  }
  void list_ends() { damaged_lists_ = list_damaged_ ? damaged_lists_ + 1 : 0; }
  // When everything has to be listed again; the zero time: nothing is damaged. Urgent: no
  // controller can act until then.
  [[nodiscard]] Timestamp list_at(bool urgent) const { return urgent ? urgent_list_at_ : list_at_; }

 private:
  static constexpr Nanoseconds kBetweenComplaintsNs = 60 * kNanosecondsPerSecond;
  // The delay doubles with every damaged list.
  static constexpr Nanoseconds kFirstDelayNs = 10 * kNanosecondsPerSecond;
  static constexpr Nanoseconds kLongestDelayNs = 600 * kNanosecondsPerSecond;
  static constexpr Nanoseconds kLongestUrgentDelayNs = 40 * kNanosecondsPerSecond;

  Timestamp complained_at_{};
  std::uint64_t withheld_ = 0;
  Timestamp list_at_{};
  Timestamp urgent_list_at_{};
  unsigned damaged_lists_ = 0;  // in a row
  bool list_damaged_ = false;   // the current list, or the last one
};

}  // namespace ebb::control
