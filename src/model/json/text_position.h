// Positions in a text, for error messages, and bytes that a text must not contain.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace ebb::model {

// `line 3, column 17`, counted from 1 in lines and characters as editors do.
[[nodiscard]] std::string describe_position(std::string_view text, std::size_t offset);

// The position of the first byte that is not part of a UTF-8 character.
[[nodiscard]] std::optional<std::size_t> find_invalid_utf8(std::string_view text);

// The position of the first control character other than a tab or a line break.
[[nodiscard]] std::optional<std::size_t> find_control_character(std::string_view text);

}  // namespace ebb::model
