// Runs a control::Process against a real API server and real pickers, on the calling thread.
//
// Events from the client are delivered to the process one at a time, and the requests that result
// are sent before the next event: the process has checked its lease just then.
#pragma once

#include <memory>
#include <string_view>

#include "control/process/process.h"
#include "kube/client.h"
#include "pickerclient/picker_client.h"
#include "runtime/host/review_calls.h"

namespace ebb::runtime {

// A request to the API server that was answered or abandoned; for a watch, one that has started. It
// contains no headers and no bodies.
struct RequestEnd {
  std::string_view method{};
  std::string_view path{};
  std::string_view query{};
  int code = 0;  // 0: no answer
  Nanoseconds taken_ns = 0;
  bool watch = false;
  std::string_view error{};  // why there was no answer
};

// Called by the thread that runs the process.
class ProcessObserver {
 public:
  virtual ~ProcessObserver() = default;

  virtual void request_over(const RequestEnd& /*end*/) {}
  // A picker call to this endpoint was answered or abandoned. The detail is for operators only.
  virtual void picker_request_over(std::string_view /*endpoint*/, const picker::Reply& /*reply*/) {}
  // After each turn of the loop, at least once a second.
  virtual void turned(Now /*now*/, bool /*ready*/) {}
};

class ProcessHost {
 public:
  // All arguments must outlive the host. `reviews` may be null.
  ProcessHost(control::Process& process, kube::Client& client,
              picker_client::PickerClientSettings pickers, ProcessObserver& observer,
              ReviewCalls* reviews = nullptr);
  ~ProcessHost();
  ProcessHost(const ProcessHost&) = delete;
  ProcessHost& operator=(const ProcessHost&) = delete;

  // Returns when the process is done: after stop(), or when it lost its lease.
  void run();
  // From any thread: finishes requests in flight, releases the lease and makes run() return.
  void stop();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ebb::runtime
