// The asker without its thread: calls from being asked to being answered. Belongs to the thread
// that polls it; only wake() may be called from elsewhere.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "asker/asker.h"
#include "base/fair_line.h"
#include "net/http_client.h"

namespace ebb::asker {

class Engine {
 public:
  Engine(AskerSettings settings, Asker::Done done);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // `deadline_ns` is a moment of net::steady_now_ns().
  void ask(picker::Call call, Nanoseconds deadline_ns);
  void withdraw(picker::CallId id);

  // Waits until something happens, then works on it and calls back.
  void poll();
  void wake() { client_.wake(); }

 private:
  using CallId = picker::CallId;

  enum class Stage : std::uint8_t { kWaiting, kResolving, kAsking };
  struct Errand {
    picker::Call call{};
    Nanoseconds deadline_ns = 0;
    Stage stage = Stage::kWaiting;
    std::vector<net::IpAddress> addresses{};  // allowed, and not tried yet; the last is next
    net::HttpClient::Id transfer = 0;
  };

  void start(CallId id, Errand& errand);
  void resolved(CallId id, const Result<std::vector<net::IpAddress>>& addresses);
  // For operators: why none of these may be dialled.
  [[nodiscard]] std::string describe_refusals(const std::vector<net::IpAddress>& addresses,
                                              std::uint16_t port) const;
  void dial(CallId id, Errand& errand);
  void replied(CallId id, const net::HttpReply& reply);
  void finish(CallId id, picker::Reply reply);
  void forget(CallId id);
  void expire();
  void start_waiting();
  // How long until connections that nobody uses are closed.
  [[nodiscard]] Nanoseconds look_at_connections();

  AskerSettings settings_;
  Asker::Done done_;
  net::SystemDialer system_dialer_;
  net::GuardedDialer dialer_;
  std::shared_ptr<net::Resolver> resolver_;
  net::HttpClient client_;
  std::size_t places_;
  std::size_t under_way_ = 0;
  Nanoseconds idle_since_ns_ = 0;  // if nothing is under way
  bool has_connections_ = false;   // maybe
  std::unordered_map<CallId, Errand> errands_;
  FairLine<CallId> waiting_;
  std::unordered_map<std::string, std::size_t> places_of_;  // by tenant, of those under way
  // Of those that curl does not watch over: waiting or resolving.
  std::set<std::pair<Nanoseconds, CallId>> deadlines_;
};

}  // namespace ebb::asker
