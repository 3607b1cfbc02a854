// The time limit of a request: its query parameter `timeout`, a Go duration, up to the server's
// maximum.
#pragma once

#include "apiserver/request/route.h"
#include "base/timestamp.h"
#include "model/api/status.h"

namespace ebb::apiserver {

inline constexpr Nanoseconds kMaxTime = 60 * kNanosecondsPerSecond;

// An absent, zero or negative value means the maximum.
[[nodiscard]] model::StatusOr<Nanoseconds> parse_time_limit(const Query& query);

}  // namespace ebb::apiserver
