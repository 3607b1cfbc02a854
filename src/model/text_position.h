// Places in a text, for error messages, and the bytes that no text may have.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace ebb::model {

// `line 3, column 17`, counted from 1 in lines and characters as editors do.
[[nodiscard]] std::string describe_position(std::string_view text, std::size_t offset);

// Where the first byte stands that is not part of a UTF-8 character.
[[nodiscard]] std::optional<std::size_t> find_invalid_utf8(std::string_view text);

// Where the first control character stands that is neither a tab nor a line break.
[[nodiscard]] std::optional<std::size_t> find_control_character(std::string_view text);

}  // namespace ebb::model
