// Base64 with padding, as documents of the API and kubeconfigs carry bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ebb::schema {

// What base64 text stands for; nothing if it is no base64. Blanks and line breaks are allowed.
[[nodiscard]] std::optional<std::string> decode_base64(std::string_view text);

[[nodiscard]] std::string encode_base64(std::string_view bytes);

}  // namespace ebb::schema
