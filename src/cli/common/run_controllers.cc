#include "cli/common/run_controllers.h"

#include <thread>
#include <utility>

#include "cli/common/hangup.h"
#include "cli/common/stop_signal.h"

namespace ebb::cli {

Result<void> run_in_foreground(runtime::ControllersSettings settings, kube::ClusterAccess access,
                               const Streams& streams, const ForegroundRun& run) {
  EBB_ASSIGN_OR_RETURN(auto stop,
                       StopSignal::catch_signals(StopSignal::Hangup::kMeansSomethingElse));
  HangupHandler hangup;
  settings.give_up_start = &stop.came();
  const runtime::LogSettings log = settings.log;
  auto controllers =
      runtime::Controllers::make(std::move(settings), std::move(access), streams.err);
  if (!controllers && stop.came()) {
    runtime::Log(log, streams.err).write(control::Severity::kInfo, 0, "stopped during startup");
    return {};
  }
  if (!controllers) {
    Error error = std::move(controllers.error());
    if (error.retryable) error.message += run.port_advice;
    return tl::unexpected(std::move(error));
  }
  (*controllers)->log().write(control::Severity::kInfo, 0, run.first_line);
  hangup.attach(**controllers);
  std::thread waiter([&] {
    stop.wait();
    (*controllers)->stop();
  });
  (*controllers)->run();
  stop.end_wait();
  waiter.join();
  hangup.detach();
  EBB_RETURN_IF_ERROR(run.result(**controllers));
  if ((*controllers)->went_back()) {
    return fail(ErrorCode::kIo,
                "the API server's storage went back to an older state: exiting, to start again "
                "from that state");
  }
  (*controllers)->log().write(control::Severity::kInfo, 0, "stopped");
  return {};
}

}  // namespace ebb::cli
