// Runs state machines (the nodes' stand-ins) against a real API server, on the calling thread.
//
// Each kind is watched once, however many machines look at it. What machines want done is sent
// in their order, so many at a time; how a request went that nobody answered is told
// as unknown, and the machine looks again.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kube/client.h"
#include "model/machine.h"

namespace ebb::runtime {

class MachineHost {
 public:
  // What people should know: that a watch was refused, and why.
  using Complain = std::function<void(const std::string& text)>;

  // The client must outlive the host, and belongs to it: nobody polls it afterwards.
  MachineHost(std::vector<std::unique_ptr<model::Machine>> machines, kube::Client& client,
              Complain complain);
  ~MachineHost();
  MachineHost(const MachineHost&) = delete;
  MachineHost& operator=(const MachineHost&) = delete;

  // Returns after stop(). What is under way then is dropped: machines begin anew from what
  // the API server has.
  void run();
  // From any thread, and before run() as well.
  void stop();

  // Called once from run(), when every machine has seen all there was and what it wanted
  // at once has been answered.
  void on_settled(std::function<void()> settled);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ebb::runtime
