// Base64 with padding, as in API documents and kubeconfigs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace ebb {

// Decodes base64; nothing if the text is malformed. Blanks and line breaks are allowed.
[[nodiscard]] std::optional<std::string> decode_base64(std::string_view text);

[[nodiscard]] std::string encode_base64(std::string_view bytes);

// Rewrites a text to the canonical encoding of its bytes, as the API server does for byte fields:
// no line breaks, unused bits zero. If the text is not padded base64, returns the offset of the
// first error.
[[nodiscard]] std::optional<std::size_t> canonicalise_base64(std::string& text);

}  // namespace ebb
