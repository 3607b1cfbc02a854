// Runs a credential plugin on a thread of its own, so that nobody waits who does not want to.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "base/result.h"
#include "kube/cluster_access.h"
#include "kube/exec_credential.h"

namespace ebb::kube {

// Blocks, for a minute at most (ten if the user may have to type).
[[nodiscard]] Result<ExecCredential> run_exec_plugin(const ClusterAccess& access, bool interactive,
                                                     const std::atomic<bool>& stop);

class ExecPluginRunner {
 public:
  // `wake` is called from the thread, after the result is there.
  ExecPluginRunner(const ClusterAccess& access, std::function<void()> wake)
      : access_(access), wake_(std::move(wake)) {}
  // Kills the plugin, if it is running.
  ~ExecPluginRunner();
  ExecPluginRunner(const ExecPluginRunner&) = delete;
  ExecPluginRunner& operator=(const ExecPluginRunner&) = delete;

  // Does nothing if it is running.
  void start();
  [[nodiscard]] bool running() const { return thread_.joinable(); }
  // What came out, once.
  [[nodiscard]] std::optional<Result<ExecCredential>> take();

 private:
  const ClusterAccess& access_;
  std::function<void()> wake_;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
  std::mutex mutex_;
  std::optional<Result<ExecCredential>> result_;
};

}  // namespace ebb::kube
