#include "cluster/data_folder.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ebb::cluster {
namespace {

constexpr const char* kLockFile = "lock";

tl::unexpected<Error> failure(const std::filesystem::path& path, std::string_view why) {
  return fail(ErrorCode::kIo, fmt::format("data folder {}: {}", path.string(), why));
}

}  // namespace

Result<DataFolder> DataFolder::open(const std::filesystem::path& path) {
  std::error_code error;
  const auto parent = std::filesystem::absolute(path, error).parent_path();
  if (!error) std::filesystem::create_directories(parent, error);
  if (error) return failure(path, error.message());
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) {
    return failure(path, std::strerror(errno));
  }
  const auto file = path / kLockFile;
  const int lock = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock < 0) return failure(path, std::strerror(errno));
  // The system lets go of it when the process ends, however it ends.
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
