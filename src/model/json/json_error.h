// A second, slower parse of a JSON text that simdjson rejected as one document. simdjson is fast
// because it does not track positions; this parser does.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ebb::model {

// Splits a text into its JSON documents. An error reads `line 3, column 17: what is wrong`.
[[nodiscard]] Result<std::vector<std::string_view>> split_json(std::string_view text);

// The first error in a text, or nothing if it is a sequence of valid documents.
[[nodiscard]] std::optional<std::string> find_json_error(std::string_view text);

}  // namespace ebb::model
