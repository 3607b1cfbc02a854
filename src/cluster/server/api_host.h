// Serves a LiveServer over HTTP: authentication, the limit on concurrent requests, and the encoding
// of responses and watches.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "cluster/server/live_server.h"
#include "net/server/http.h"

namespace ebb::cluster {

struct ApiHostSettings {
  std::string token{};
  // The number of concurrent requests, not counting watches; further ones are told to retry.
  int max_in_flight = 1000;
};

class ApiHost : public net::HttpHandler {
 public:
  ApiHost(LiveServer& server, ApiHostSettings settings);

  [[nodiscard]] bool wants_body(const net::HttpRequest& head) override;
  void handle(std::shared_ptr<net::HttpExchange> exchange) override;

 private:
  // A counted request; releases its slot on destruction.
  class Place;

  [[nodiscard]] bool is_allowed(const net::HttpRequest& request) const;
  [[nodiscard]] bool has_token(const net::HttpRequest& request) const;
  [[nodiscard]] std::shared_ptr<Place> take_place();

  LiveServer& server_;
  const ApiHostSettings settings_;
  std::shared_ptr<std::atomic<int>> in_flight_;
};

// The HTTP head of a response.
[[nodiscard]] net::HttpHead response_head_of(const model::ApiResponse& response);

}  // namespace ebb::cluster
