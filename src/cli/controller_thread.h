// Controllers beside the embedded cluster: over its own loopback address, on a thread of
// their own.
#pragma once

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <thread>

#include "base/result.h"
#include "cluster/kubeconfig.h"
#include "runtime/controllers.h"

namespace ebb::cli {

class ControllerThread {
 public:
  // Whatever depends on the cluster being in this process is added to the settings. `told` gets a
  // line for each scale-down, from the thread. The log goes to `err`.
  [[nodiscard]] static Result<std::unique_ptr<ControllerThread>> start(
      runtime::ControllersSettings settings, const cluster::Kubeconfig& cluster,
      std::function<void(const std::string&)> told, std::ostream& err);
  // Finishes what is in flight.
  ~ControllerThread();
  ControllerThread(const ControllerThread&) = delete;
  ControllerThread& operator=(const ControllerThread&) = delete;

  // Returns once they have read the cluster, or when that takes long.
  void wait_until_ready() const;

 private:
  explicit ControllerThread(std::unique_ptr<runtime::Controllers> controllers);

  std::unique_ptr<runtime::Controllers> controllers_;
  std::thread thread_;
};

}  // namespace ebb::cli
