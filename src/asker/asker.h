// Asks pickers, over HTTP and gRPC, on a thread of its own: what a picker does to its connection
// costs nobody else anything.
//
// Every address is looked at right before it is dialled, for each attempt, whatever the protocol
// (net/egress_policy.h). Nothing follows redirects, no proxy is taken from the environment, and
// an answer is counted while it is read.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "net/dialer.h"
#include "net/egress_policy.h"
#include "net/resolver.h"
#include "picker/call.h"

namespace ebb::asker {

struct AskerSettings {
  net::EgressPolicy egress{};
  // More wait until one is over; the time they wait counts. Each needs a socket: there are fewer
  // places if the process may not open as many.
  // Whoever has as many as are left has to leave them to others.
  std::size_t most_calls = 10'000;
  // What all answers may take up (net/body_budget.h).
  std::size_t most_answer_bytes_together = 256UL << 20U;
  // Stand-ins for tests, used from the asker's thread only; nothing: the system's. The dialer is
  // asked for what the policy lets through.
  std::shared_ptr<net::Dialer> dialer{};
  std::shared_ptr<net::Resolver> resolver{};
};

class Asker {
 public:
  // Called from the asker's thread, once for each call that was not withdrawn.
  using Done = std::function<void(picker::CallId, picker::Reply)>;

  Asker(AskerSettings settings, Done done);
  // Drops what is under way without calling anybody.
  ~Asker();
  Asker(const Asker&) = delete;
  Asker& operator=(const Asker&) = delete;

  // Both from any thread.
  void ask(picker::Call call);
  void withdraw(picker::CallId id);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ebb::asker
