// Runs a credential plugin on a thread of its own, so that callers need not block.
#pragma once  // private to its room

#include <atomic>
#include <functional>
#include <optional>
#include <thread>

#include "base/mutex.h"
#include "base/result.h"
#include "kube/cluster_access.h"
#include "kube/exec_credential.h"

namespace ebb::kube {

// Blocks for at most a minute (ten if the user may have to type).
[[nodiscard]] Result<ExecCredential> run_exec_plugin(const ClusterAccess& access, bool interactive,
                                                     const std::atomic<bool>& stop);

class ExecPluginRunner {
 public:
  // `wake` is called from that thread, after the result is available.
  ExecPluginRunner(const ClusterAccess& access, std::function<void()> wake)
      : access_(access), wake_(std::move(wake)) {}
  // Kills the plugin, if it is running.
  ~ExecPluginRunner();
  ExecPluginRunner(const ExecPluginRunner&) = delete;
  ExecPluginRunner& operator=(const ExecPluginRunner&) = delete;

  // Does nothing if it is running.
  void start();
  [[nodiscard]] bool running() const { return thread_.joinable(); }
  // The result, once.
  [[nodiscard]] std::optional<Result<ExecCredential>> take();

 private:
  const ClusterAccess& access_;
  std::function<void()> wake_;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
  Mutex mutex_;
  std::optional<Result<ExecCredential>> result_ EBB_GUARDED_BY(mutex_);
};

}  // namespace ebb::kube
