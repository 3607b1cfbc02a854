// Points in wall-clock time as Kubernetes objects carry them.
//
// A timestamp that was never set ("zero time") is a separate state, not an instant. Instants are
// nanoseconds since 1970 in 64 bits. Values outside that range (before 1678, after 2262) are
// clamped, and so are differences, so that no date in a file makes arithmetic overflow.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace ebb {

using Nanoseconds = std::int64_t;

inline constexpr Nanoseconds kMicrosecond = 1'000;
inline constexpr Nanoseconds kMillisecond = 1'000 * kMicrosecond;
inline constexpr Nanoseconds kSecond = 1'000 * kMillisecond;
inline constexpr Nanoseconds kMinute = 60 * kSecond;
inline constexpr Nanoseconds kHour = 60 * kMinute;
// The same as kSecond, for conversions between units.
inline constexpr Nanoseconds kNanosecondsPerSecond = kSecond;

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

// later - earlier; negative if they are in the opposite order. Neither may be the zero time.
constexpr Nanoseconds elapsed_ns(Timestamp earlier, Timestamp later) {
  Nanoseconds difference = 0;
  if (__builtin_sub_overflow(later.since_epoch_ns(), earlier.since_epoch_ns(), &difference)) {
    return later < earlier ? std::numeric_limits<Nanoseconds>::min()
                           : std::numeric_limits<Nanoseconds>::max();
  }
  return difference;
}

}  // namespace ebb
