// Log lines as Kubernetes components write them: klog's text, or one JSON object per line.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <ostream>
#include <span>
#include <string_view>

#include "control/core/telemetry.h"
#include "runtime/telemetry/line_writer.h"

namespace spdlog {
class logger;
}

namespace ebb::runtime {

struct LogSettings {
  bool json = false;
  int verbosity = 0;  // -v
  // A background thread writes the lines, so that write() never waits for a pipe that is not read.
  // Lines that do not fit in the queue are dropped, counted, and reported in the log itself once
  // there is room again.
  bool in_background = false;
  LineWriterOptions queue{};
};

// Thread-safe.
class Log {
 public:
  // `out` is standard error, or a test's stream. It must outlive the log, and the process if the
  // log is written in the background.
  Log(LogSettings settings, std::ostream& out);
  // Waits for background lines for at most a second.
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  // A verbosity: also written at -1, where only errors and warnings are wanted.
  static constexpr int kAlways = -1;

  [[nodiscard]] bool writes(int verbosity) const { return verbosity <= settings_.verbosity; }
  // Errors and warnings are always written.
  void write(control::Severity severity, int verbosity, std::string_view text,
             std::span<const control::Field> fields = {});

  // Returns the number of lines dropped since the last call.
  [[nodiscard]] std::uint64_t take_dropped();

 private:
  void collect_dropped();
  void report_dropped();
  void add(control::Severity severity, int verbosity, std::string_view text,
           std::span<const control::Field> fields);

  LogSettings settings_;
  LineWriter writer_;
  std::unique_ptr<std::ostream> queue_;  // feeds the writer
  std::shared_ptr<spdlog::logger> logger_;
  std::atomic<std::uint64_t> uncounted_ = 0;   // dropped lines that take_dropped() has not returned
  std::atomic<std::uint64_t> unreported_ = 0;  // dropped lines that the log does not mention yet
};

}  // namespace ebb::runtime
