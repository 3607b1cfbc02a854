// Runs state machines (the scheduler, the kubelet stand-ins, the garbage collector) inside
// the process of the API server, on one thread.
//
// The thread is told everything through an inbox: pieces of watches, answers to effects. It
// feeds the machines, sends what they want done, and sleeps until something comes or
// one of them wants to be woken.
#pragma once

#include <memory>
#include <vector>

#include "cluster/live_server.h"
#include "model/machine.h"

namespace ebb::cluster {

class Residents {
 public:
  Residents(LiveServer& server, std::vector<std::unique_ptr<model::Machine>> machines);
  // Stops. Answers that come later are ignored.
  ~Residents();
  Residents(const Residents&) = delete;
  Residents& operator=(const Residents&) = delete;

  // Returns once every machine has seen all there was, and what it wanted at once is done,
  // or when that takes long: a cluster full of pods may always have something to do.
  void wait_until_settled();
  void stop();

 private:
  struct Parts;
  std::shared_ptr<Parts> parts_;
};

}  // namespace ebb::cluster
