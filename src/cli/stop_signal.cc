#include "cli/stop_signal.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace ebb::cli {
namespace {

constexpr int kKilledBy = 128;  // shells' exit code for signals begins here

// A handler can reach nothing else.
std::atomic<int> write_end = -1;
std::atomic<bool> came_before = false;

extern "C" void on_signal(int signal) {
  const int saved = errno;
  if (came_before.exchange(true)) std::_Exit(kKilledBy + signal);
  const char byte = 0;
  // A pipe of which one byte is ever written has room for it.
  [[maybe_unused]] const ssize_t written = ::write(write_end, &byte, 1);
  errno = saved;
}

void set_handlers(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM}) ::sigaction(signal, &action, nullptr);
}

}  // namespace

Result<StopSignal> StopSignal::catch_signals() {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) return fail(ErrorCode::kIo, std::strerror(errno));
  came_before = false;
  write_end = ends[1];
  set_handlers(on_signal);
  return StopSignal(ends[0]);
}

StopSignal::~StopSignal() {
  if (read_end_ < 0) return;
  set_handlers(SIG_DFL);
  ::close(read_end_);
  ::close(write_end.exchange(-1));
}

StopSignal::StopSignal(StopSignal&& other) noexcept
    : read_end_(std::exchange(other.read_end_, -1)) {}

void StopSignal::end_wait() const {
  const char byte = 0;
  [[maybe_unused]] const ssize_t written = ::write(write_end, &byte, 1);
}

void StopSignal::wait() const {
  char byte = 0;
  while (::read(read_end_, &byte, 1) < 0 && errno == EINTR) {
  }
}

}  // namespace ebb::cli
