// Makes external text safe to print on a terminal, to log and to keep.
#pragma once

#include <string>
#include <string_view>

namespace ebb::model {

// Escapes control characters (\u001b), so that a text stays on one line and cannot control the
// terminal.
[[nodiscard]] std::string printable(std::string text);

// Cuts out the middle of a long text, without splitting a character. The result has less than 1
// KiB.
[[nodiscard]] std::string shortened(std::string_view text);

// Both.
[[nodiscard]] std::string printable_and_short(std::string_view text);

}  // namespace ebb::model
