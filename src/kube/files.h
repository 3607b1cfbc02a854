// Small files that credentials are made of.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ebb::kube {

// All of a file. `what` says what the file was to hold; an error names both.
[[nodiscard]] Result<std::string> read_file(const std::filesystem::path& file,
                                            std::string_view what);

// A token without the line break that editors and mounts put behind it.
[[nodiscard]] Result<std::string> read_token_file(const std::filesystem::path& file);

// Whether it can stand in a header as it is.
[[nodiscard]] bool is_printable(std::string_view text);

}  // namespace ebb::kube
