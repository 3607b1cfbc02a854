// Log lines as Kubernetes components write them: klog's text, or one JSON object per line.
#pragma once

#include <memory>
#include <ostream>
#include <span>
#include <string_view>

#include "control/telemetry.h"

namespace spdlog {
class logger;
}

namespace ebb::runtime {

struct LogSettings {
  bool json = false;
  int verbosity = 0;  // -v
};

// May be used from any thread.
class Log {
 public:
  // `out` is standard error, or what a test reads; it must outlive the log.
  Log(LogSettings settings, std::ostream& out);

  // A verbosity: written also where only errors and warnings are wanted, which is -1.
  static constexpr int kAlways = -1;

  [[nodiscard]] bool writes(int verbosity) const { return verbosity <= settings_.verbosity; }
  // Errors and warnings are always written.
  void write(control::Severity severity, int verbosity, std::string_view text,
             std::span<const control::Field> fields = {});

 private:
  LogSettings settings_;
  std::shared_ptr<spdlog::logger> logger_;
};

}  // namespace ebb::runtime
