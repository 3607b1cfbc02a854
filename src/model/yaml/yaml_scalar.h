// Interprets plain (unquoted) YAML scalars as kubectl does.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ebb::model {

// The JSON text of a plain scalar that is not a string: `null`, `true`, `false` or a number.
// Nothing if the scalar is a string. As in kubectl, YAML 1.1 applies: `y`, `yes`, `on` and the like
// are booleans, `0o17` and `017` are octal, `1_000` is a thousand.
[[nodiscard]] std::optional<std::string> plain_scalar_as_json(std::string_view text);

// `text` as a JSON string, quotes included.
[[nodiscard]] std::string json_quote(std::string_view text);

}  // namespace ebb::model
