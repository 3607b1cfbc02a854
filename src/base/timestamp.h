// Points in wall-clock time as Kubernetes objects carry them.
//
// A timestamp that was never set ("zero time") is a state of its own, not an
// instant. Instants are nanoseconds since 1970 in 64 bits; what lies outside
// (before 1678, after 2262) is kept at the nearest end, and so are differences,
// so that no date a file can contain makes arithmetic overflow.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace ebb {

using Nanoseconds = std::int64_t;

inline constexpr Nanoseconds kNanosecondsPerSecond = 1'000'000'000;

class Timestamp {
 public:
  // The zero time.
  constexpr Timestamp() = default;

  static constexpr Timestamp from_nanoseconds(Nanoseconds since_epoch_ns) {
    return Timestamp(since_epoch_ns == kUnset ? kUnset + 1 : since_epoch_ns);
  }

  // Seconds since 1970 and the nanoseconds within that second (0..999'999'999).
  static constexpr Timestamp from_seconds(std::int64_t seconds, Nanoseconds nanoseconds = 0) {
    Nanoseconds total = 0;
    if (__builtin_mul_overflow(seconds, kNanosecondsPerSecond, &total) ||
        __builtin_add_overflow(total, nanoseconds, &total)) {
      total = seconds < 0 ? kUnset + 1 : std::numeric_limits<Nanoseconds>::max();
    }
    return from_nanoseconds(total);
  }

  [[nodiscard]] constexpr bool is_zero() const { return since_epoch_ns_ == kUnset; }

  // Meaningless for the zero time.
  [[nodiscard]] constexpr Nanoseconds since_epoch_ns() const { return since_epoch_ns_; }

  // The zero time sorts before every instant.
  friend constexpr auto operator<=>(Timestamp, Timestamp) = default;

 private:
  static constexpr Nanoseconds kUnset = std::numeric_limits<Nanoseconds>::min();

  explicit constexpr Timestamp(Nanoseconds since_epoch_ns) : since_epoch_ns_(since_epoch_ns) {}

  Nanoseconds since_epoch_ns_ = kUnset;
};

// later - earlier, negative if they are the other way round. Neither may be zero time.
constexpr Nanoseconds elapsed_ns(Timestamp earlier, Timestamp later) {
  Nanoseconds difference = 0;
  if (__builtin_sub_overflow(later.since_epoch_ns(), earlier.since_epoch_ns(), &difference)) {
    return later < earlier ? std::numeric_limits<Nanoseconds>::min()
                           : std::numeric_limits<Nanoseconds>::max();
  }
  return difference;
}

}  // namespace ebb
