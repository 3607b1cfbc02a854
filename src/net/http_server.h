// An HTTP/1.1 server over TLS, for a few thousand connections and a few threads.
//
// It bounds what a client can cost: the size of a request, the number of connections, and
// how long a client may take to send its request or to take its answer.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "net/certificate.h"
#include "net/http.h"
#include "net/request_reader.h"

namespace ebb::net {

struct HttpServerSettings {
  std::string address = "127.0.0.1";  // IPv4 or IPv6
  std::uint16_t port = 0;             // 0: any free one
  std::optional<KeyPair> tls{};       // nothing: plain HTTP

  int threads = 2;
  std::size_t connections = 4096;  // more are closed as they come
  RequestLimits limits{};

  // A client has this long for its TLS handshake and for the head of a request ...
  std::chrono::milliseconds head_time{10'000};
  // ... for all of its body,
  std::chrono::milliseconds body_time{60'000};
  // ... for taking any byte of what is written to it,
  std::chrono::milliseconds write_time{30'000};
  // ... and between two requests. Longer than clients keep idle connections (Go: 90 s), so
  // that they close first and no request crosses our closing.
  std::chrono::milliseconds idle_time{180'000};
  // At stop(), for what is being answered.
  std::chrono::milliseconds stop_time{2'000};
};

class HttpServer {
 public:
  // Listens and serves once this returns. The handler has to outlive the server.
  [[nodiscard]] static Result<std::unique_ptr<HttpServer>> start(HttpServerSettings settings,
                                                                 HttpHandler& handler);
  // Stops, if that has not happened.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  [[nodiscard]] std::uint16_t port() const;

  // Accepts nothing more, ends streams, lets answers that are being written finish, and
  // closes everything. After this no callback runs.
  void stop();

 private:
  struct Parts;
  explicit HttpServer(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace ebb::net
