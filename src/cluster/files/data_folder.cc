#include "cluster/files/data_folder.h"

#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cluster/files/fsync_folder.h"

namespace ebb::cluster {
namespace {

constexpr const char* kLockFile = "lock";

tl::unexpected<Error> failure(const std::filesystem::path& path, std::string_view why) {
  return fail(ErrorCode::kIo, fmt::format("data folder {}: {}", path.string(), why));
}

// This folder and its ancestors, as far as they do not exist.
std::vector<std::filesystem::path> missing_folders(std::filesystem::path path) {
  if (!path.has_filename()) path = path.parent_path();  // "folder/"
  std::vector<std::filesystem::path> missing;
  std::error_code ignored;
  for (; path.has_relative_path() && !std::filesystem::exists(path, ignored);
       path = path.parent_path()) {
    missing.push_back(path);
  }
  return missing;
}

}  // namespace

Result<DataFolder> DataFolder::open(const std::filesystem::path& path) {
  std::error_code error;
  const auto absolute = std::filesystem::absolute(path, error);
  const auto missing = missing_folders(absolute);
  if (!error) std::filesystem::create_directories(absolute.parent_path(), error);
  if (error) return failure(path, error.message());
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) {
    return failure(path, std::strerror(errno));
  }
  // Files in it are durable only if the folder is.
  for (const auto& made : missing) {
    EBB_RETURN_IF_ERROR(sync_folder(made.parent_path()));
  }
  const auto file = path / kLockFile;
  const int lock = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock < 0) return failure(path, std::strerror(errno));
  // The system releases the lock when the process ends, for any reason.
  if (::flock(lock, LOCK_EX | LOCK_NB) != 0) {
    const int problem = errno;
    ::close(lock);
    return failure(path,
                   problem == EWOULDBLOCK ? "in use by another process" : std::strerror(problem));
  }
  return DataFolder(path, lock);
}

DataFolder::~DataFolder() {
  if (lock_ >= 0) ::close(lock_);
}

DataFolder::DataFolder(DataFolder&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)) {}

DataFolder& DataFolder::operator=(DataFolder&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(lock_, other.lock_);
  return *this;
}

}  // namespace ebb::cluster
