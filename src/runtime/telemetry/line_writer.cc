#include "runtime/telemetry/line_writer.h"

#include <chrono>
#include <csignal>
#include <deque>
#include <optional>
#include <utility>

#include <pthread.h>

#include "base/mutex.h"

namespace ebb::runtime {

// The state that the two threads share. A writer that is left behind keeps it alive.
class LineWriter::Queue {
 public:
  explicit Queue(LineWriterOptions options) : options_(options) {}

  void start() EBB_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    open_ = true;
  }

  void add(std::string line) EBB_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    if (!open_) return;
    const bool has_room = waiting_.size() < options_.max_lines &&
                          (waiting_.empty() || bytes_ + line.size() <= options_.max_bytes);
    if (!has_room) {
      ++report_.dropped;
      return;
    }
    bytes_ += line.size();
    waiting_.push_back(std::move(line));
    changed_.notify_all();
  }

  void reopen() EBB_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    reopen_ = open_;
    changed_.notify_all();
  }

  LineReport take_report() EBB_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    return std::exchange(report_, {});
  }

  bool half_empty() EBB_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    return waiting_.size() <= options_.max_lines / 2 && bytes_ <= options_.max_bytes / 2;
  }

  // Returns whether the writer finished in time. If not, the lines in the queue and the line being
  // written are dropped: whether the sink takes that one cannot be known.
  bool close(Nanoseconds max_wait_ns) EBB_EXCLUDES(mutex_) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::nanoseconds(max_wait_ns);
    const MutexLock lock(mutex_);
    open_ = false;
    changed_.notify_all();
    while (!done_ && changed_.wait_until(mutex_, deadline)) {
    }
    if (done_) return true;
    report_.dropped += waiting_.size() + (in_hand_ ? 1 : 0);
    waiting_.clear();
    abandoned_ = true;
    return false;
  }

  // The functions below run on the writer's thread.
  void write_to(LineSink& sink) EBB_EXCLUDES(mutex_) {
    while (const auto task = next()) {
      if (task->reopen) {
        record_reopened(sink.reopen());
      } else {
        record_written(sink.append(task->line));
      }
    }
    const MutexLock lock(mutex_);
    done_ = true;
    changed_.notify_all();
  }

 private:
  struct Task {
    bool reopen = false;
    std::string line{};
  };

  // Waits for a task. Returns nothing when the queue is closed and everything is written.
  std::optional<Task> next() EBB_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    while (waiting_.empty() && !reopen_ && open_) changed_.wait(mutex_);
    if (abandoned_) return std::nullopt;
    if (std::exchange(reopen_, false)) return Task{.reopen = true};
    if (waiting_.empty()) return std::nullopt;
    Task task{.line = std::move(waiting_.front())};
    waiting_.pop_front();
    bytes_ -= task.line.size();
    in_hand_ = true;
    return task;
  }

  void record_written(const Result<void>& written) EBB_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    in_hand_ = false;
    if (written) {
      ++report_.written;
    } else {
      ++report_.failed;
      report_.error = written.error().message;
    }
  }

  void record_reopened(const Result<void>& reopened) EBB_EXCLUDES(mutex_) {
    if (reopened) return;
    const MutexLock lock(mutex_);
    report_.reopen_error = reopened.error().message;
  }

  const LineWriterOptions options_;
  Mutex mutex_;
  ConditionVariable changed_;
  std::deque<std::string> waiting_ EBB_GUARDED_BY(mutex_);
  std::size_t bytes_ EBB_GUARDED_BY(mutex_) = 0;  // size of the lines
  LineReport report_ EBB_GUARDED_BY(mutex_);
  bool open_ EBB_GUARDED_BY(mutex_) = false;
  bool reopen_ EBB_GUARDED_BY(mutex_) = false;
  bool in_hand_ EBB_GUARDED_BY(mutex_) = false;    // a line is with the sink
  bool abandoned_ EBB_GUARDED_BY(mutex_) = false;  // no thread waits for the writer any more
  bool done_ EBB_GUARDED_BY(mutex_) = false;       // the writer has ended
};

LineWriter::LineWriter(LineWriterOptions options) : queue_(std::make_shared<Queue>(options)) {}

LineWriter::~LineWriter() { close(kNanosecondsPerSecond / 10); }

void LineWriter::start(std::unique_ptr<LineSink> sink) {
  queue_->start();
  // Other threads handle signals. A pipe without a reader then returns an error instead of SIGPIPE.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([queue = queue_, held = std::move(sink)] { queue->write_to(*held); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void LineWriter::reopen() { queue_->reopen(); }

void LineWriter::add(std::string line) { queue_->add(std::move(line)); }

LineReport LineWriter::take_report() { return queue_->take_report(); }

bool LineWriter::half_empty() const { return queue_->half_empty(); }

bool LineWriter::close(Nanoseconds max_wait_ns) {
  if (!thread_.joinable()) return true;
  const bool done = queue_->close(max_wait_ns);
  if (done) {
    thread_.join();
  } else {
    // The thread is in a system call that does not return, and ends with the process at the latest.
    thread_.detach();
  }
  return done;
}

}  // namespace ebb::runtime
