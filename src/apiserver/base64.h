// Base64 as the API takes it for bytes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace ebb::apiserver {

// Makes a text the one spelling of its bytes: without line breaks, unused bits zero. If it
// is not base64 with padding, says at which byte it goes wrong.
[[nodiscard]] std::optional<std::size_t> canonicalise_base64(std::string& text);

}  // namespace ebb::apiserver
