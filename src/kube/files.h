// Small files that credentials are made of.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ebb::kube {

// All of a file. `what` says what the file was to hold; an error names both.
[[nodiscard]] Result<std::string> read_file(const std::filesystem::path& file,
                                            std::string_view what);

// A token without the line break that editors and mounts put behind it.
[[nodiscard]] Result<std::string> read_token_file(const std::filesystem::path& file);

// What base64 text stands for; nothing if it is no base64. Blanks and line breaks are allowed.
[[nodiscard]] std::optional<std::string> decode_base64(std::string_view text);

// Whether it can stand in a header as it is.
[[nodiscard]] bool is_printable(std::string_view text);

}  // namespace ebb::kube
