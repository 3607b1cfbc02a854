// Ctrl-C, and what service managers send instead of it.
#pragma once

#include "base/result.h"

namespace ebb::cli {

// While it exists, SIGINT and SIGTERM end wait(); a second one ends the process at once. One
// at a time in a process.
class StopSignal {
 public:
  [[nodiscard]] static Result<StopSignal> catch_signals();
  ~StopSignal();
  StopSignal(StopSignal&& other) noexcept;
  StopSignal& operator=(StopSignal&&) = delete;

  // Returns once a signal has come, be it long ago.
  void wait() const;
  // As if a signal had come, for a thread that waits; from any thread.
  void end_wait() const;

 private:
  explicit StopSignal(int read_end) : read_end_(read_end) {}

  int read_end_ = -1;
};

}  // namespace ebb::cli
