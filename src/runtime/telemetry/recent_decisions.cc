#include "runtime/telemetry/recent_decisions.h"

#include <utility>

namespace ebb::runtime {

void RecentDecisions::add(std::string record) {
  const MutexLock lock(mutex_);
  bytes_ += record.size();
  records_.push_back(std::move(record));
  // The newest record stays, whatever its size.
  while (bytes_ > max_bytes_ && records_.size() > 1) {
    bytes_ -= records_.front().size();
    records_.pop_front();
  }
}

std::string RecentDecisions::list() const {
  const MutexLock lock(mutex_);
  std::string text = "[";
  for (const std::string& record : records_) {
    if (text.size() > 1) text += ",\n";
    text += record;
  }
  return text + "]\n";
}

}  // namespace ebb::runtime
