// Ctrl-C, and what service managers send instead of it.
#pragma once

#include <atomic>

#include "base/result.h"

namespace ebb::cli {

// While it exists, SIGINT and SIGTERM end wait(); a second one ends the process at once. So does
// SIGHUP, unless it means something else or is ignored (nohup). One at a time in a process.
class StopSignal {
 public:
  enum class Hangup { kStops, kMeansSomethingElse };
  [[nodiscard]] static Result<StopSignal> catch_signals(Hangup hangup = Hangup::kStops);
  ~StopSignal();
  StopSignal(StopSignal&& other) noexcept;
  StopSignal& operator=(StopSignal&&) = delete;

  // Returns once a signal has come, be it long ago.
  void wait() const;
  // Whether one has come, for those who can be told to give up.
  [[nodiscard]] const std::atomic<bool>& came() const;
  // Which one; 0: none.
  [[nodiscard]] int which() const;
  // As if a signal had come, for a thread that waits; from any thread.
  void end_wait() const;

 private:
  explicit StopSignal(int read_end) : read_end_(read_end) {}

  int read_end_ = -1;
};

}  // namespace ebb::cli
