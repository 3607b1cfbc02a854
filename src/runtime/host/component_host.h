// Runs components (the hollow components) against a real API server, on the calling thread.
//
// Each kind is watched once, however many components use it. Requests are sent in the order in
// which components want them, a limited number at a time. A request without an answer is reported
// to its component as unknown, and the component reads the object again.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kube/client.h"
#include "model/component/component.h"

namespace ebb::runtime {

class ComponentHost {
 public:
  // Receives problems that operators should know, such as a refused watch and its reason.
  using Complain = std::function<void(const std::string& text)>;

  // The client must outlive the host, and only the host may poll it.
  ComponentHost(std::vector<std::unique_ptr<model::Component>> components, kube::Client& client,
                Complain complain);
  ~ComponentHost();
  ComponentHost(const ComponentHost&) = delete;
  ComponentHost& operator=(const ComponentHost&) = delete;

  // Returns after stop(). Requests in flight are dropped: after a restart, components start from
  // the API server's state.
  void run();
  // From any thread, also before run().
  void stop();

  // Called once from run(), when every component is synced and its first requests have been
  // answered.
  void on_settled(std::function<void()> settled);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ebb::runtime
