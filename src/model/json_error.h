// Where a JSON text goes wrong. simdjson is fast because it does not keep track;
// this is the slow second look for the error message.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ebb::model {

// `line 3, column 17: what is wrong`, or nothing if the text is a sequence of
// valid JSON documents.
[[nodiscard]] std::optional<std::string> find_json_error(std::string_view text);

// The 1-based line and column of a byte, as text.
[[nodiscard]] std::string describe_position(std::string_view text, std::size_t offset);

}  // namespace ebb::model
