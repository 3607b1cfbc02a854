// Runs a control::Process against a real API server and real pickers, on the calling thread.
//
// What comes from the client is told to the process one by one, and what it wants sent goes out
// at once, before anything else is told: the process looked at its lease just then.
#pragma once

#include <memory>
#include <string_view>

#include "asker/asker.h"
#include "control/process.h"
#include "kube/client.h"

namespace ebb::runtime {

// A request to the API server that was answered or given up; of a watch: that has begun. Nothing of
// its headers and its body is here, nor of the answer's.
struct RequestEnd {
  std::string_view method{};
  std::string_view path{};
  std::string_view query{};
  int code = 0;  // none: there was no answer
  Nanoseconds taken_ns = 0;
  bool watch = false;
  std::string_view error{};  // why there was none
};

// Told by the thread that runs the process.
class ProcessObserver {
 public:
  virtual ~ProcessObserver() = default;

  virtual void request_over(const RequestEnd& /*end*/) {}
  // A question to this endpoint was answered, or given up. The detail is for operators only.
  virtual void question_over(std::string_view /*endpoint*/, const picker::Reply& /*reply*/) {}
  // After each turn of the loop, at least once a second.
  virtual void turned(Now /*now*/, bool /*ready*/) {}
};

class ProcessHost {
 public:
  // All must outlive the host.
  ProcessHost(control::Process& process, kube::Client& client, asker::AskerSettings pickers,
              ProcessObserver& observer);
  ~ProcessHost();
  ProcessHost(const ProcessHost&) = delete;
  ProcessHost& operator=(const ProcessHost&) = delete;

  // Returns when the process is done: after stop(), or when it lost its lease.
  void run();
  // From any thread: finish what is in flight, give the lease back, and return from run().
  void stop();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ebb::runtime
