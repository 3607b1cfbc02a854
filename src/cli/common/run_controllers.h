// Runs controllers in the foreground until a signal arrives or they end by themselves.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "cli/common/command.h"
#include "runtime/controllers.h"

namespace ebb::cli {

struct ForegroundRun {
  std::string first_line{};  // of the log
  // Appended to the error if a port is in use.
  std::string port_advice{};
  // Called after the controllers have ended by themselves: why, if that is an error.
  std::function<Result<void>(const runtime::Controllers&)> result{};
};

[[nodiscard]] Result<void> run_in_foreground(runtime::ControllersSettings settings,
                                             kube::ClusterAccess access, const Streams& streams,
                                             const ForegroundRun& run);

}  // namespace ebb::cli
