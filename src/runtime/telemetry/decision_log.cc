#include "runtime/telemetry/decision_log.h"

#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace ebb::runtime {
namespace {

constexpr int kNone = -1;

int open_to_append(const std::string& file, int more_flags) {
  constexpr mode_t kMode = 0640;
  return ::open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | more_flags,
                kMode);
}

std::string error_of(const std::string& file) {
  return fmt::format("{}: {}", file, std::strerror(errno));
}

// The file itself. Every call except open_at_start() may block for any length of time.
class File : public LineSink {
 public:
  explicit File(std::string name) : name_(std::move(name)) {}
  ~File() override { close(); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  [[nodiscard]] Result<void> open_at_start() {
    // Without O_NONBLOCK, opening a named pipe waits for its reader.
    descriptor_ = open_to_append(name_, O_NONBLOCK);
    if (descriptor_ == kNone && errno == ENXIO) return {};  // a pipe without a reader
    if (descriptor_ == kNone) return fail(ErrorCode::kIo, error_of(name_));
    const int flags = ::fcntl(descriptor_, F_GETFL);
    if (flags < 0 || ::fcntl(descriptor_, F_SETFL, flags & ~O_NONBLOCK) != 0) {
      return fail(ErrorCode::kIo, error_of(name_));
    }
    return {};
  }

  [[nodiscard]] Result<void> reopen() override {
    const int opened = open_to_append(name_, 0);
    if (opened == kNone) return fail(ErrorCode::kIo, error_of(name_));
    close();
    descriptor_ = opened;
    torn_ = false;
    return {};
  }

  // Uses a single write, so that a reader of the file sees whole lines.
  [[nodiscard]] Result<void> append(std::string_view record) override {
    if (descriptor_ == kNone) {
      EBB_RETURN_IF_ERROR(reopen());
    }
    const std::string line = fmt::format("{}{}\n", torn_ ? "\n" : "", record);
    std::string_view rest = line;
    while (!rest.empty()) {
      const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) {
        torn_ = torn_ || rest.size() < line.size();
        const bool unread = errno == EPIPE;
        auto failed = fail(ErrorCode::kIo, error_of(name_));
        // The next record waits for a new reader of the pipe.
        if (unread) close();
        return failed;
      }
      rest.remove_prefix(static_cast<std::size_t>(written));
    }
    torn_ = false;
    return {};
  }

 private:
  void close() {
    if (descriptor_ != kNone) ::close(std::exchange(descriptor_, kNone));
  }

  const std::string name_;
  int descriptor_ = kNone;  // kNone: a pipe without a reader
  bool torn_ = false;       // the last line was written only in part
};

}  // namespace

Result<void> DecisionLog::open(const std::string& file) {
  auto opened = std::make_unique<File>(file);
  EBB_RETURN_IF_ERROR(opened->open_at_start());
  writer_.start(std::move(opened));
  return {};
}

}  // namespace ebb::runtime
