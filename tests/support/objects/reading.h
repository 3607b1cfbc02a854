// Reads snapshots in tests, and describes the result.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/records/snapshot.h"

namespace ebb::testing {

// The snapshot of a file named `input` with this text.
[[nodiscard]] Result<model::Snapshot> read(std::string_view text);

// The error for the text, without the prefix `input: `; empty if there is none.
[[nodiscard]] std::string error_of(std::string_view text);

// Every record with every field, one per line. Two snapshots hold the same records exactly when
// their descriptions are equal.
[[nodiscard]] std::string describe(const model::Snapshot& snapshot);

}  // namespace ebb::testing
