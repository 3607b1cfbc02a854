// Runs components (the scheduler, the hollow kubelet, the garbage collector) inside the process of
// the API server, on one thread.
//
// The thread gets all input through an inbox: pieces of watches and responses to effects. It feeds
// the components, sends their effects, and sleeps until new input arrives or a component wants to
// be woken.
#pragma once

#include <memory>
#include <vector>

#include "cluster/server/live_server.h"
#include "model/component/component.h"

namespace ebb::cluster {

class InProcessHost {
 public:
  InProcessHost(LiveServer& server, std::vector<std::unique_ptr<model::Component>> components);
  // Stops the thread. Later responses are ignored.
  ~InProcessHost();
  InProcessHost(const InProcessHost&) = delete;
  InProcessHost& operator=(const InProcessHost&) = delete;

  // Returns once all caches are synced and the initial effects are done, or after a timeout: a
  // cluster full of pods may never be idle.
  void wait_until_settled();
  void stop();

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace ebb::cluster
