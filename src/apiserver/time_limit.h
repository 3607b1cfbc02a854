// How long a request may take: what its query parameter `timeout` says, a duration as Go writes
// them, but no longer than the server allows.
#pragma once

#include "apiserver/route.h"
#include "base/timestamp.h"
#include "model/status.h"

namespace ebb::apiserver {

inline constexpr Nanoseconds kMostTime = 60 * kNanosecondsPerSecond;

// Nothing, 0 and less mean the longest time.
[[nodiscard]] model::StatusOr<Nanoseconds> parse_time_limit(const Query& query);

}  // namespace ebb::apiserver
