// Text from outside, made fit for someone's terminal.
#pragma once

#include <string>
#include <string_view>

namespace ebb::model {

// Control characters are spelled \u001b, so that a text is one line and cannot steer
// the terminal.
[[nodiscard]] std::string printable(std::string text);

// The same, and the middle of a very long text is left out.
[[nodiscard]] std::string printable_and_short(std::string_view text);

}  // namespace ebb::model
