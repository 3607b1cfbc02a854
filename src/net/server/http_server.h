// An HTTP/1.1 server over TLS, for a few thousand connections and a few threads.
//
// It bounds the cost of a client: the size of a request, the number of connections, and the time to
// send a request or to receive a response.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "net/server/http.h"
#include "net/server/request_reader.h"
#include "net/tls/certificate.h"

namespace ebb::net {

struct HttpServerSettings {
  std::string address = "127.0.0.1";  // IPv4 or IPv6
  std::uint16_t port = 0;             // 0: any free port
  std::optional<KeyPair> tls{};       // empty: plain HTTP

  int threads = 2;
  // If all slots are taken, a new connection replaces another one: connection_limits.h.
  std::size_t connections = 4096;
  std::size_t connections_per_peer = 0;  // 0: no limit of its own
  // Whether a connection whose request is being answered can be evicted, too. If not, new
  // connections are closed at once while all others are being answered.
  bool evict_answering = false;
  RequestLimits limits{};

  // Time limits for a client: for its TLS handshake and the head of a request,
  std::chrono::milliseconds head_time{10'000};
  // for the whole body,
  std::chrono::milliseconds body_time{60'000};
  // for receiving any byte that is written to it,
  std::chrono::milliseconds write_time{30'000};
  // and between two requests. Longer than clients keep idle connections (Go: 90 s), so that they
  // close first and no request crosses the server's close.
  std::chrono::milliseconds idle_time{180'000};
  // At stop(), for responses in progress.
  std::chrono::milliseconds stop_time{2'000};
};

class HttpServer {
 public:
  // The server is listening when this returns. The handler must outlive the server.
  [[nodiscard]] static Result<std::unique_ptr<HttpServer>> start(HttpServerSettings settings,
                                                                 HttpHandler& handler);
  // Calls stop(), if needed.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  [[nodiscard]] std::uint16_t port() const;

  // Thread-safe: connections that are accepted from now on use this certificate. Only for a server
  // that was started with one. On failure the old certificate stays.
  [[nodiscard]] Result<void> replace_certificate(const KeyPair& pair);

  // Stops accepting, ends streams, finishes responses in progress, and closes all connections.
  // After this no callback runs.
  void stop();

 private:
  struct Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace ebb::net
