// Durations as in annotations: 30s, 1m30s, 500ms.
#pragma once

#include <optional>
#include <string_view>

#include "base/timestamp.h"

namespace ebb::hollow {

// Hours, minutes, seconds and milliseconds, each with an optional fraction; nothing if the text is
// malformed, negative or longer than a year.
[[nodiscard]] std::optional<Nanoseconds> parse_duration(std::string_view text);

}  // namespace ebb::hollow
