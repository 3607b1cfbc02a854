// Reads the small files that hold credentials.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ebb::kube {

// The content of a file. `what` describes the expected content; an error names both.
[[nodiscard]] Result<std::string> read_file(const std::filesystem::path& file,
                                            std::string_view what);

// A token, without the trailing line break of editors and mounts.
[[nodiscard]] Result<std::string> read_token_file(const std::filesystem::path& file);

// Whether the text can be used in a header unchanged.
[[nodiscard]] bool is_printable(std::string_view text);

}  // namespace ebb::kube
