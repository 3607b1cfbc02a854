// Requests to one API server: addresses, credentials and their renewal around net::HttpClient.
//
// Like the HTTP client it belongs to one thread, which drives it by poll(). It knows nothing of
// rate limits, retries or leases: those are decided by who sends.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "kube/cluster_access.h"
#include "model/api.h"
#include "net/http_client.h"

namespace ebb::kube {

// How many requests are under way at the same time; more wait. A burst of 500 deletions is as fast
// on these as on 500 connections, each of which costs a millisecond of computing on both sides.
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

  // Looks at the credentials, so that what is wrong with them is said at once. A plugin that
  // hands them out may take minutes; it is killed, and this fails, once `give_up` is true.
  [[nodiscard]] static Result<std::unique_ptr<Client>> make(
      ClusterAccess access, const std::atomic<bool>* give_up = nullptr);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // `done` is called once, from poll(). `deadline_ns` is all the time it has.
  Id send(const model::ApiRequest& request, Nanoseconds deadline_ns, Done done);
  // A watch: `silence_ns` is the longest silence.
  Id stream(const model::ApiRequest& request, Nanoseconds silence_ns, Piece piece, Done done);
  void cancel(Id id);
  void poll(Nanoseconds longest_ns);
  void wake();  // from any thread

  // Sends one request and waits for its answer; for commands, not for controllers.
  [[nodiscard]] ApiReply ask(const model::ApiRequest& request, Nanoseconds deadline_ns);

  [[nodiscard]] const ClusterAccess& access() const;

 private:
  struct State;
  explicit Client(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace ebb::kube
