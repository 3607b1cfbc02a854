// Reads and writes files that only their owner may read.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/result.h"

namespace ebb::cluster {

// The content; nothing if there is no such file.
[[nodiscard]] Result<std::optional<std::string>> read_if_there(const std::filesystem::path& file);

// Mode 0600, durable and atomic: a reader sees the old content or the new.
[[nodiscard]] Result<void> write_private(const std::filesystem::path& file,
                                         const std::string& content);

}  // namespace ebb::cluster
