// Reading snapshots in tests, and telling what was read.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/snapshot.h"

namespace ebb::testing {

// What a file named `input` with this text gives.
[[nodiscard]] Result<model::Snapshot> read(std::string_view text);

// What is wrong with the text, without `input: ` in front; empty if nothing is.
[[nodiscard]] std::string error_of(std::string_view text);

// Every record with every field, one a line. Two snapshots hold the same records
// exactly when their descriptions are equal.
[[nodiscard]] std::string describe(const model::Snapshot& snapshot);

}  // namespace ebb::testing
