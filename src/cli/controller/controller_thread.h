// Runs controllers in `ebb up`, on their own thread, over the embedded cluster's loopback address.
#pragma once  // private to its room

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <thread>

#include "base/result.h"
#include "cluster/files/kubeconfig.h"
#include "runtime/controllers.h"

namespace ebb::cli {

class ControllerThread {
 public:
  // Adds to the settings what depends on the cluster being in this process. `print_line` is called
  // with a line for each scale-down, on the controllers' thread. The log goes to `err`.
  [[nodiscard]] static Result<std::unique_ptr<ControllerThread>> start(
      runtime::ControllersSettings settings, const cluster::Kubeconfig& cluster,
      std::function<void(const std::string&)> print_line, std::ostream& err);
  // Finishes requests in flight.
  ~ControllerThread();
  ControllerThread(const ControllerThread&) = delete;
  ControllerThread& operator=(const ControllerThread&) = delete;

  // Returns once the caches are synced, or after a timeout.
  void wait_until_ready() const;

 private:
  explicit ControllerThread(std::unique_ptr<runtime::Controllers> controllers);

  std::unique_ptr<runtime::Controllers> controllers_;
  std::thread thread_;
};

}  // namespace ebb::cli
