// Whether bytes from outside are text. JSON knows no other.
#pragma once

#include <string_view>

namespace ebb::schema {

[[nodiscard]] bool is_utf8(std::string_view bytes);

}  // namespace ebb::schema
