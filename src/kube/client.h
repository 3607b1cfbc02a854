// Sends requests to one API server: adds addresses and credentials, and their renewal, to
// net::HttpClient.
//
// Like the HTTP client it belongs to one thread, which drives it by poll(). Rate limits, retries
// and leases are left to the caller.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "kube/cluster_access.h"
#include "model/api/api.h"
#include "net/client/http_client.h"

namespace ebb::kube {

// The number of concurrent requests; more wait. A burst of 500 deletes is as fast on these as on
// 500 connections, each of which costs a millisecond of CPU time on both sides.
inline constexpr std::size_t kConnections = 64;

struct ApiReply {
  net::HttpReply::Failure failure = net::HttpReply::Failure::kNone;
  std::string error{};  // if there is no response; for people
  model::ApiResponse response{};
};

class Client {
 public:
  using Id = net::HttpClient::Id;
  using Done = std::function<void(ApiReply)>;
  using Piece = net::HttpClient::Piece;

  // Checks the credentials, so that errors are reported at once. A credential plugin may take
  // minutes; once `give_up` is true, it is killed and this fails.
  [[nodiscard]] static Result<std::unique_ptr<Client>> make(
      ClusterAccess access, const std::atomic<bool>* give_up = nullptr);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // An urgent request does not wait for in-flight ones, and neither do requests for leases. Use it
  // for few requests at a time: each may open a connection.
  enum class Urgency : std::uint8_t { kCanWait, kUrgent };
  // `done` is called once, from poll(). `deadline_ns` is the time limit for the whole request.
  Id send(const model::ApiRequest& request, Nanoseconds deadline_ns, Done done,
          Urgency urgency = Urgency::kCanWait);
  // A watch: `silence_ns` is the longest time without data.
  Id stream(const model::ApiRequest& request, Nanoseconds silence_ns, Piece piece, Done done);
  void cancel(Id id);
  void poll(Nanoseconds longest_ns);
  void wake();  // from any thread

  // Sends one request and waits for its response; for commands, not for controllers.
  [[nodiscard]] ApiReply ask(const model::ApiRequest& request, Nanoseconds deadline_ns);

  [[nodiscard]] const ClusterAccess& access() const;

 private:
  struct State;
  explicit Client(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace ebb::kube
