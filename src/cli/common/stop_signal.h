// SIGINT (Ctrl-C), and SIGTERM from service managers.
#pragma once

#include <atomic>

#include "base/result.h"

namespace ebb::cli {

// While it exists, SIGINT and SIGTERM end wait(); a second one ends the process at once. SIGHUP
// does the same, unless it has another handler or is ignored (nohup). At most one may exist in a
// process.
class StopSignal {
 public:
  enum class Hangup { kStops, kMeansSomethingElse };
  [[nodiscard]] static Result<StopSignal> catch_signals(Hangup hangup = Hangup::kStops);
  ~StopSignal();
  StopSignal(StopSignal&& other) noexcept;
  StopSignal& operator=(StopSignal&&) = delete;

  // Returns once a signal has arrived, also if that was before the call.
  void wait() const;
  // Whether a signal has arrived, for code that polls.
  [[nodiscard]] const std::atomic<bool>& came() const;
  // The signal that arrived, or 0.
  [[nodiscard]] int which() const;
  // Makes wait() return as if a signal had arrived; from any thread.
  void end_wait() const;

 private:
  explicit StopSignal(int read_end) : read_end_(read_end) {}

  int read_end_ = -1;
};

}  // namespace ebb::cli
