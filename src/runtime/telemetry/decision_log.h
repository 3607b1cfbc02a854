// The file of decision records: one JSON object per line, written by its own thread.
//
// add() and reopen() never wait for the file: a stalled disk, or a pipe that is not read, fills a
// bounded queue, and records that do not fit are dropped and counted. Thread-safe.
#pragma once  // private to its room

#include <string>
#include <utility>

#include "base/result.h"
#include "base/timestamp.h"
#include "runtime/telemetry/line_writer.h"

namespace ebb::runtime {

using DecisionLogOptions = LineWriterOptions;
using DecisionLogReport = LineReport;

class DecisionLog {
 public:
  explicit DecisionLog(DecisionLogOptions options = {}) : writer_(options) {}

  // Appends to the file, which is created if it does not exist. A named pipe is opened once it has
  // a reader. May be called once; without it, records are discarded.
  [[nodiscard]] Result<void> open(const std::string& file);
  // To be called after the file was rotated: records not written yet go to a new file of the same
  // name.
  void reopen() { writer_.reopen(); }

  // `record` is the text of one JSON object.
  void add(std::string record) { writer_.add(std::move(record)); }

  [[nodiscard]] DecisionLogReport take_report() { return writer_.take_report(); }

  // Writes the remaining records for at most `max_wait_ns` and drops the rest. Returns whether the
  // file took everything.
  bool close(Nanoseconds max_wait_ns) { return writer_.close(max_wait_ns); }

 private:
  LineWriter writer_;
};

}  // namespace ebb::runtime
