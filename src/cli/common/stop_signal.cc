#include "cli/common/stop_signal.h"

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

// A global, because a signal handler has no arguments.
std::atomic<int> write_end = -1;
std::atomic<bool> came_before = false;
std::atomic<int> first_signal = 0;

extern "C" void on_signal(int signal) {
  const int saved = errno;
  if (came_before.exchange(true)) std::_Exit(kKilledBy + signal);
  first_signal = signal;
  const char byte = 0;
  // A pipe has room for the only byte that is ever written to it.
  [[maybe_unused]] const ssize_t written = ::write(write_end, &byte, 1);
  errno = saved;
}

void set_handlers(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM}) ::sigaction(signal, &action, nullptr);
}

// The parent process may have set SIGHUP to be ignored (nohup).
void set_hangup_handler(void (*from)(int), void (*to)(int)) {
  struct sigaction action {};
  ::sigaction(SIGHUP, nullptr, &action);
  if (action.sa_handler != from) return;
  action.sa_handler = to;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGHUP, &action, nullptr);
}

}  // namespace

Result<StopSignal> StopSignal::catch_signals(Hangup hangup) {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) return fail(ErrorCode::kIo, std::strerror(errno));
  came_before = false;
  first_signal = 0;
  write_end = ends[1];
  set_handlers(on_signal);
  if (hangup == Hangup::kStops) set_hangup_handler(SIG_DFL, on_signal);
  return StopSignal(ends[0]);
}

StopSignal::~StopSignal() {
  if (read_end_ < 0) return;
  set_handlers(SIG_DFL);
  set_hangup_handler(on_signal, SIG_DFL);
  ::close(read_end_);
  ::close(write_end.exchange(-1));
}

StopSignal::StopSignal(StopSignal&& other) noexcept
    : read_end_(std::exchange(other.read_end_, -1)) {}

const std::atomic<bool>& StopSignal::came() const { return came_before; }
int StopSignal::which() const { return first_signal; }

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
