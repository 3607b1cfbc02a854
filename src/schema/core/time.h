// Times in the format of the Kubernetes API (RFC 3339), and ages as kubectl prints them.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/timestamp.h"

namespace ebb::schema {

// Accepts the same texts as metav1.Time: `2026-11-01T12:00:00Z`, an optional fraction of a second,
// `Z` or an offset such as `+02:00`. Kubernetes writes the zero time as `0001-01-01T00:00:00Z`; it
// parses to the zero Timestamp.
[[nodiscard]] Result<Timestamp> parse_time(std::string_view text);

// In UTC, with a fraction only if it is not zero.
[[nodiscard]] std::string format_time(Timestamp time);

// `38s`, `4m10s`, `3h`, `5d2h`: two units at most, as in kubectl's AGE column.
// An age below zero (a clock running behind) prints as `0s`.
[[nodiscard]] std::string format_age(Nanoseconds age_ns);

}  // namespace ebb::schema
