// Serves a LiveServer over HTTP: who may ask, how much at a time, and how answers and
// watches become bytes.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "cluster/live_server.h"
#include "net/http.h"

namespace ebb::cluster {

struct ApiHostSettings {
  std::string token{};
  // Requests that are being answered at a time, watches aside; more are told to come back.
  int most_in_flight = 1000;
};

class ApiHost : public net::HttpHandler {
 public:
  ApiHost(LiveServer& server, ApiHostSettings settings);

  [[nodiscard]] bool wants_body(const net::HttpRequest& head) override;
  void handle(std::shared_ptr<net::HttpExchange> exchange) override;

 private:
  // One of the requests that are counted; gives its place back when it is let go of.
  class Place;

  [[nodiscard]] bool is_allowed(const net::HttpRequest& request) const;
  [[nodiscard]] bool has_token(const net::HttpRequest& request) const;
  [[nodiscard]] std::shared_ptr<Place> take_place();

  LiveServer& server_;
  const ApiHostSettings settings_;
  std::shared_ptr<std::atomic<int>> in_flight_;
};

// The head under which a response is sent.
[[nodiscard]] net::HttpHead response_head_of(const model::ApiResponse& response);

}  // namespace ebb::cluster
