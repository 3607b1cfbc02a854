// Makes directory entries durable: after this, files that were created or renamed in a folder exist
// even after a power loss.
#pragma once  // private to its room

#include <filesystem>

#include "base/result.h"

namespace ebb::cluster {

[[nodiscard]] Result<void> sync_folder(const std::filesystem::path& folder);

}  // namespace ebb::cluster
