#include "cluster/files/fsync_folder.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace ebb::cluster {

Result<void> sync_folder(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder.empty() ? "." : folder;
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool synced = descriptor >= 0 && ::fsync(descriptor) == 0;
  const int problem = errno;
  if (descriptor >= 0) ::close(descriptor);
  // Some file systems do not support this, and say so.
  if (synced || problem == EINVAL) return {};
  return fail(ErrorCode::kIo,
              fmt::format("cannot sync {}: {}", path.string(), std::strerror(problem)));
}

}  // namespace ebb::cluster
