// Runs a control::Process against a real API server, on the calling thread.
#pragma once

#include <functional>

#include "base/result.h"
#include "control/process.h"
#include "kube/client.h"

namespace ebb::runtime {

class ProcessHost {
 public:
  // Both must outlive the host.
  ProcessHost(control::Process& process, kube::Client& client);

  // Returns when the process is done: after stop(), or when it lost its lease.
  void run();
  // From any thread: finish what is in flight, give the lease back, and return from run().
  void stop();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace ebb::runtime
