#include "bench/picker_process.h"

#include <array>
#include <csignal>
#include <utility>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/require.h"

namespace ebb::bench {
namespace {

[[noreturn]] void serve(support::LocalPicker::Decide decide, int tell) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const support::LocalPicker picker(std::move(decide));
  const std::uint16_t port = picker.port();
  if (::write(tell, &port, sizeof port) != sizeof port) ::_exit(1);
  while (true) ::pause();
}

}  // namespace

PickerProcess::PickerProcess(const std::string& answer) {
  start([answer](const support::LocalPicker::Asked&) {
    return support::LocalPicker::Answer{.body = answer};
  });
}

PickerProcess::PickerProcess() { start(support::LocalPicker::first_ones); }

void PickerProcess::start(support::LocalPicker::Decide decide) {
  std::array<int, 2> ends{};
  require(::pipe(ends.data()) == 0, "no pipe");
  pid_ = ::fork();
  require(pid_ >= 0, "no process for the picker");
  if (pid_ == 0) serve(std::move(decide), ends[1]);
  ::close(ends[1]);
  const bool told = ::read(ends[0], &port_, sizeof port_) == sizeof port_;
  ::close(ends[0]);
  require(told, "the picker did not start");
}

PickerProcess::~PickerProcess() {
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

}  // namespace ebb::bench
