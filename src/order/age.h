// Ages in logarithmic buckets (KEP-2185), shared by the two criteria that compare times. Pods whose
// ages have the same power of two in nanoseconds count as equally old, so that a scale-down does
// not always hit the newest failure domain.
#pragma once  // private to its room

#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/timestamp.h"
#include "order/candidate.h"
#include "schema/core/time.h"

namespace ebb::order {

// floor(log_base(age)), or -1 for ages of zero and less (times in the future). Exact, whereas
// upstream's floating point rounds up a few nanoseconds below large powers of two.
constexpr int age_bucket(Nanoseconds age_ns, unsigned base = 2) {
  if (age_ns <= 0) return -1;
  auto rest = static_cast<std::uint64_t>(age_ns);
  if (base == 2) return static_cast<int>(std::bit_width(rest)) - 1;
  int bucket = 0;
  for (; rest >= base; rest /= base) ++bucket;
  return bucket;
}

// An unset time goes first, then the younger pod.
constexpr std::uint64_t age_key(Timestamp since, const OrderContext& context) {
  if (since.is_zero()) return 0;
  if (context.logarithmic && !context.now.is_zero()) {
    const std::int64_t bucket = age_bucket(elapsed_ns(since, context.now));  // -1 or more
    return static_cast<std::uint64_t>(bucket + 2);
  }
  constexpr auto kLatest = static_cast<std::uint64_t>(std::numeric_limits<Nanoseconds>::max());
  return kLatest - static_cast<std::uint64_t>(since.since_epoch_ns()) + 1;
}

// `ready 40m ago (bucket 36m to 73m) goes before ready 3h ago (bucket ...) of ...`;
// `what` is `ready` or `created`.
inline std::string age_contrast(std::string_view what, Timestamp since, Timestamp other_since,
                                const Contrast& contrast, const OrderContext& context) {
  const auto describe = [&](Timestamp time) -> std::string {
    if (time.is_zero()) return fmt::format("{} at an unknown time", what);
    if (!context.logarithmic || context.now.is_zero()) {
      return fmt::format("{} {}", what, schema::format_time(time));
    }
    const Nanoseconds age_ns = elapsed_ns(time, context.now);
    if (age_ns <= 0) return fmt::format("{} in the future", what);
    const int bucket = age_bucket(age_ns);
    const Nanoseconds from_ns = Nanoseconds{1} << bucket;
    const Nanoseconds to_ns = bucket < 62 ? 2 * from_ns : std::numeric_limits<Nanoseconds>::max();
    return fmt::format("{} {} ago (bucket {} to {})", what, schema::format_age(age_ns),
                       schema::format_age(from_ns), schema::format_age(to_ns));
  };
  return fmt::format("{} goes {} {} of {}", describe(since), contrast.goes ? "before" : "after",
                     describe(other_since), contrast.other_name);
}

// `ready 40m ago, later than 3h ago`, or a time where the ages look equal.
inline std::string brief_age_contrast(std::string_view what, Timestamp since, Timestamp other_since,
                                      bool goes, const OrderContext& context) {
  if (since.is_zero()) return fmt::format("{} at an unknown time", what);
  if (other_since.is_zero()) return fmt::format("{} at a known time", what);
  const std::string_view relation = goes ? "later" : "earlier";
  const std::string age = schema::format_age(elapsed_ns(since, context.now));
  const std::string other_age = schema::format_age(elapsed_ns(other_since, context.now));
  if (context.now.is_zero() || age == other_age) {
    return fmt::format("{} {}, at {}", what, relation, schema::format_time(since));
  }
  return fmt::format("{} {} ago, {} than {} ago", what, age, relation, other_age);
}

}  // namespace ebb::order
