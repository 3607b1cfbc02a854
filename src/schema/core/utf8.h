// UTF-8 validation of external bytes. JSON text must be UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace ebb::schema {

[[nodiscard]] bool is_utf8(std::string_view bytes);

// Replaces each byte that is not part of a character by U+FFFD, as Go does when it writes JSON. For
// texts from URLs and headers that go into objects and messages.
[[nodiscard]] std::string as_utf8(std::string_view bytes);

}  // namespace ebb::schema
