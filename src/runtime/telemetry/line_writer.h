// Writes lines from its own thread, so that no other thread waits for a file or a pipe.
//
// add() and reopen() never wait: a sink that stalls fills a bounded queue, and lines that do not
// fit are dropped and counted. Thread-safe.
#pragma once  // private to its room

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "base/result.h"
#include "base/timestamp.h"

namespace ebb::runtime {

// The destination of the lines. Called by the writer's thread; every call may block for any length
// of time.
class LineSink {
 public:
  virtual ~LineSink() = default;
  [[nodiscard]] virtual Result<void> append(std::string_view line) = 0;
  [[nodiscard]] virtual Result<void> reopen() { return {}; }
};

struct LineWriterOptions {
  // The size of the lines that wait for the sink. A single line may be larger.
  std::size_t max_bytes = std::size_t{16} << 20;
  std::size_t max_lines = 10'000;
};

// Numbers of lines since the last report.
struct LineReport {
  std::uint64_t written = 0;
  std::uint64_t failed = 0;
  std::uint64_t dropped = 0;   // the queue was full, or the sink stalled until shutdown
  std::string error{};         // why the last one failed
  std::string reopen_error{};  // why the sink could not be reopened; the old one stays in use
};

class LineWriter {
 public:
  explicit LineWriter(LineWriterOptions options = {});
  // Closes the writer with a short wait.
  ~LineWriter();
  LineWriter(const LineWriter&) = delete;
  LineWriter& operator=(const LineWriter&) = delete;

  // May be called once; without it, lines are discarded. If the sink stalls for good, it is left
  // behind with its thread, so everything it refers to must live as long as the process.
  void start(std::unique_ptr<LineSink> sink);
  // Reopens the sink before the next line.
  void reopen();

  void add(std::string line);

  [[nodiscard]] LineReport take_report();
  // Whether at least half of the queue is free.
  [[nodiscard]] bool half_empty() const;

  // Writes the remaining lines for at most `max_wait_ns` and drops the rest. Returns whether the
  // sink took everything.
  bool close(Nanoseconds max_wait_ns);

 private:
  class Queue;

  const std::shared_ptr<Queue> queue_;
  std::thread thread_;
};

}  // namespace ebb::runtime
