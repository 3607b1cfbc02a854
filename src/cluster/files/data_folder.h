// The data folder of an embedded cluster, locked for one process at a time.
#pragma once

#include <filesystem>

#include "base/result.h"

namespace ebb::cluster {

class DataFolder {
 public:
  // Creates it (mode 0700, its parents as usual) if needed. Locked until destroyed.
  [[nodiscard]] static Result<DataFolder> open(const std::filesystem::path& path);
  ~DataFolder();
  DataFolder(DataFolder&& other) noexcept;
  DataFolder& operator=(DataFolder&& other) noexcept;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  DataFolder(std::filesystem::path path, int lock) : path_(std::move(path)), lock_(lock) {}

  std::filesystem::path path_;
  int lock_ = -1;
};

}  // namespace ebb::cluster
