// Calls pickers over HTTP and gRPC, on a thread of its own: a picker that misbehaves on its
// connection delays no other work.
//
// Every address is checked right before it is dialled, on each attempt and for each protocol
// (net/address/egress_policy.h). The client follows no redirects, takes no proxy from the
// environment, and limits answers while it reads them.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "net/address/egress_policy.h"
#include "net/client/dialer.h"
#include "net/client/resolver.h"
#include "picker/call.h"

namespace ebb::picker_client {

struct PickerClientSettings {
  net::EgressPolicy egress{};
  // Further calls wait until one is done; the wait counts against their time. Each needs a socket,
  // so there are fewer slots if the process may open fewer files. A tenant may hold at most as many
  // slots as remain free.
  std::size_t max_calls = 10'000;
  // For all answers together (net/client/body_budget.h).
  std::size_t max_total_answer_bytes = 256UL << 20U;
  // Replacements for tests, used from the picker client's thread only; null: the system's. The
  // dialer gets only addresses that the policy allows.
  std::shared_ptr<net::Dialer> dialer{};
  std::shared_ptr<net::Resolver> resolver{};
};

class PickerClient {
 public:
  // Called from the picker client's thread, once for each call that was not cancelled.
  using Done = std::function<void(picker::CallId, picker::Reply)>;

  PickerClient(PickerClientSettings settings, Done done);
  // Drops in-flight calls without callbacks.
  ~PickerClient();
  PickerClient(const PickerClient&) = delete;
  PickerClient& operator=(const PickerClient&) = delete;

  // Both are thread-safe.
  void ask(picker::Call call);
  void withdraw(picker::CallId id);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ebb::picker_client
