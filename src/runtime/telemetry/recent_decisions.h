// Keeps the latest decision records in memory. Thread-safe.
#pragma once

#include <cstddef>
#include <deque>
#include <string>

#include "base/mutex.h"

namespace ebb::runtime {

class RecentDecisions {
 public:
  explicit RecentDecisions(std::size_t max_bytes = std::size_t{1} << 20) : max_bytes_(max_bytes) {}

  // `record` is the text of one JSON object.
  void add(std::string record);

  // A JSON list of the records in memory, the newest last.
  [[nodiscard]] std::string list() const;

 private:
  const std::size_t max_bytes_;
  mutable Mutex mutex_;
  std::deque<std::string> records_ EBB_GUARDED_BY(mutex_);
  std::size_t bytes_ EBB_GUARDED_BY(mutex_) = 0;
};

}  // namespace ebb::runtime
