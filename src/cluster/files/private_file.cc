#include "cluster/files/private_file.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cluster/files/fsync_folder.h"

namespace ebb::cluster {
namespace {

tl::unexpected<Error> failure(const std::filesystem::path& file, std::string_view doing,
                              int problem) {
  return fail(ErrorCode::kIo,
              fmt::format("cannot {} {}: {}", doing, file.string(), std::strerror(problem)));
}

bool write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

Result<std::optional<std::string>> read_if_there(const std::filesystem::path& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (status.type() == std::filesystem::file_type::not_found) return std::nullopt;
  if (error) return failure(file, "read", error.value());
  if (status.type() != std::filesystem::file_type::regular) {
    return fail(ErrorCode::kIo, fmt::format("{} is not a file", file.string()));
  }
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  std::stringstream content;
  if (stream) content << stream.rdbuf();
  if (!stream) return failure(file, "read", errno);
  return content.str();
}

Result<void> write_private(const std::filesystem::path& file, const std::string& content) {
  // mkostemp gives mode 0600 and a unique name.
  std::string temporary = file.string() + ".XXXXXX";
  const int descriptor = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (descriptor < 0) return failure(file, "write", errno);
  const bool written = write_all(descriptor, content) && ::fsync(descriptor) == 0;
  int problem = errno;
  ::close(descriptor);
  if (written) {
    // The content is durable by now, and so is the name once the folder is.
    if (::rename(temporary.c_str(), file.c_str()) == 0) return sync_folder(file.parent_path());
    problem = errno;
  }
  ::unlink(temporary.c_str());
  return failure(file, "write", problem);
}

}  // namespace ebb::cluster
