// Sends faultless calls, one after the other, through its own picker client while it exists: the
// slowest of them shows how slow the machine currently is. Timing tests measure against it, so that
// they hold on a machine of any speed.
#pragma once

#include <atomic>
#include <thread>

#include "base/timestamp.h"

namespace ebb::support {

class CalmCalls {
 public:
  CalmCalls();
  ~CalmCalls();
  CalmCalls(const CalmCalls&) = delete;
  CalmCalls& operator=(const CalmCalls&) = delete;

  // Includes the call in flight with its duration so far.
  [[nodiscard]] Nanoseconds slowest_ns() const;

 private:
  void run();

  std::atomic<bool> stopping_ = false;
  std::atomic<Nanoseconds> slowest_ns_ = 0;
  std::atomic<Nanoseconds> began_ns_ = 0;  // of the call in flight; 0: none
  std::thread thread_;
};

}  // namespace ebb::support
