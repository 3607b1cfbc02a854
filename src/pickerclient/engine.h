// The picker client without its thread: handles calls from start to finish. Belongs to the thread
// that polls it; only wake() is thread-safe.
#pragma once  // private to its room

#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/fair_queue.h"
#include "net/client/http_client.h"
#include "pickerclient/picker_client.h"

namespace ebb::picker_client {

class Engine {
 public:
  Engine(PickerClientSettings settings, PickerClient::Done done);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // `deadline_ns` is a time of net::steady_now_ns().
  void ask(picker::Call call, Nanoseconds deadline_ns);
  void withdraw(picker::CallId id);

  // Waits for an event, then processes it and runs callbacks.
  void poll();
  void wake() { client_.wake(); }

 private:
  using CallId = picker::CallId;

  enum class Stage : std::uint8_t { kWaiting, kResolving, kAsking };
  struct PendingCall {
    picker::Call call{};
    Nanoseconds deadline_ns = 0;
    Stage stage = Stage::kWaiting;
    std::vector<net::IpAddress> addresses{};  // allowed and not tried yet; the last is next
    net::HttpClient::Id transfer = 0;
  };

  void start(CallId id, PendingCall& pending);
  void find_addresses(CallId id, const PendingCall& pending);
  void resolved(CallId id, const Result<std::vector<net::IpAddress>>& addresses);
  // Why none of these addresses may be dialled, for operators.
  [[nodiscard]] std::string describe_refusals(const std::vector<net::IpAddress>& addresses,
                                              std::uint16_t port) const;
  void dial(CallId id, PendingCall& pending);
  void replied(CallId id, const net::HttpReply& reply);
  void finish(CallId id, picker::Reply reply);
  void forget(CallId id);
  void expire();
  // Returns whether more calls may be ready to start.
  [[nodiscard]] bool start_waiting();
  // The time until unused connections are closed.
  [[nodiscard]] Nanoseconds check_connections();

  PickerClientSettings settings_;
  PickerClient::Done done_;
  net::SystemDialer system_dialer_;
  net::GuardedDialer dialer_;
  std::shared_ptr<net::Resolver> resolver_;
  net::HttpClient client_;
  std::size_t places_;
  std::size_t in_flight_ = 0;
  Nanoseconds idle_since_ns_ = 0;  // if no call is in flight
  bool has_connections_ = false;   // possibly
  std::unordered_map<CallId, PendingCall> pending_calls_;
  FairQueue<CallId> waiting_;
  std::unordered_map<std::string, std::size_t> places_of_;  // in-flight calls by tenant
  // For calls that curl does not watch: waiting or resolving.
  std::set<std::pair<Nanoseconds, CallId>> deadlines_;
};

}  // namespace ebb::picker_client
