// Calls that nothing is wrong with, one after the other for as long as this exists, by an asker of
// their own: how long the slowest takes says how slow the machine is just now. A test of times
// measures against it, and holds on a machine of any speed.
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

  // Of those that have ended, and of the one under way for as long as it takes by now.
  [[nodiscard]] Nanoseconds slowest_ns() const;

 private:
  void run();

  std::atomic<bool> stopping_ = false;
  std::atomic<Nanoseconds> slowest_ns_ = 0;
  std::atomic<Nanoseconds> began_ns_ = 0;  // of the one under way; 0: none
  std::thread thread_;
};

}  // namespace ebb::support
