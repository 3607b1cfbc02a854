#include "bench/picker_process.h"

#include <array>
#include <csignal>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/require.h"
#include "support/picker/local_picker.h"

namespace ebb::bench {
namespace {

[[noreturn]] void serve(const std::string& answer, int tell) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const support::LocalPicker picker([&](const support::LocalPicker::Asked&) {
    return support::LocalPicker::Answer{.body = answer};
  });
  const std::uint16_t port = picker.port();
  if (::write(tell, &port, sizeof port) != sizeof port) ::_exit(1);
  while (true) ::pause();
}

}  // namespace

PickerProcess::PickerProcess(const std::string& answer) {
  std::array<int, 2> ends{};
  require(::pipe(ends.data()) == 0, "no pipe");
  pid_ = ::fork();
  require(pid_ >= 0, "no process for the picker");
  if (pid_ == 0) serve(answer, ends[1]);
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
