// A second, slow look at a JSON text that simdjson did not take as one document.
// simdjson is fast because it does not keep track of places; this does.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ebb::model {

// The JSON documents that stand one after the other in a text, or
// `line 3, column 17: what is wrong` with it.
[[nodiscard]] Result<std::vector<std::string_view>> split_json(std::string_view text);

// What is wrong with a text, or nothing if it is a sequence of valid documents.
[[nodiscard]] std::optional<std::string> find_json_error(std::string_view text);

}  // namespace ebb::model
