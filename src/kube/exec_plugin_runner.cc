#include "kube/exec_plugin_runner.h"

#include <fmt/format.h>

#include "kube/program.h"

namespace ebb::kube {
namespace {

constexpr Nanoseconds kLongestNs = 60 * kNanosecondsPerSecond;
constexpr Nanoseconds kLongestInteractiveNs = 600 * kNanosecondsPerSecond;

}  // namespace

Result<ExecCredential> run_exec_plugin(const ClusterAccess& access, bool interactive,
                                       const std::atomic<bool>& stop) {
  const ExecPlugin& plugin = *access.exec;
  interactive = interactive && plugin.interactive_mode != "Never";
  if (!interactive && plugin.interactive_mode == "Always") {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("the credential plugin {} needs user input (interactiveMode "
                            "Always), and there is no terminal",
                            plugin.command));
  }
  Program program{.command = plugin.command,
                  .args = plugin.args,
                  .env = plugin.env,
                  .interactive = interactive};
  program.env.emplace_back("KUBERNETES_EXEC_INFO", exec_info(access, interactive));
  auto output = run_program(program, interactive ? kLongestInteractiveNs : kLongestNs, stop);
  if (output) return parse_exec_credential(plugin, *output);
  std::string problem = fmt::format("the credential plugin {}", output.error().message);
  if (output.error().code == ErrorCode::kNotFound && !plugin.install_hint.empty()) {
    problem += "\n" + plugin.install_hint;
  }
  return fail(output.error().code, std::move(problem));
}

ExecPluginRunner::~ExecPluginRunner() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
}

void ExecPluginRunner::start() {
  if (running()) return;
  thread_ = std::thread([this] {
    auto result = run_exec_plugin(access_, false, stop_);
    {
      const MutexLock lock(mutex_);
      result_ = std::move(result);
    }
    wake_();
  });
}

std::optional<Result<ExecCredential>> ExecPluginRunner::take() {
  std::optional<Result<ExecCredential>> result;
  {
    const MutexLock lock(mutex_);
    result = std::exchange(result_, std::nullopt);
  }
  if (!result) return std::nullopt;
  thread_.join();
  thread_ = {};
  return result;
}

}  // namespace ebb::kube
