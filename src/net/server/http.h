// The interface between an HTTP server and its handler. Nothing here knows sockets.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "net/address/ip_address.h"

namespace ebb::net {

struct HttpRequest {
  // Whether `body` is the complete body of the request.
  enum class Body : std::uint8_t {
    kWhole,     // complete (or the request has none)
    kTooLarge,  // longer than the server's limit; discarded
    kUnwanted,  // HttpHandler::wants_body returned false; not read
  };

  IpAddress peer{};      // of the client, as peer_of() counts it
  std::string method{};  // GET, in the client's case
  std::string path{};    // percent-encoded as on the wire; always begins with a slash
  std::string query{};   // the part after the question mark
  std::string host{};    // the name that the client used, with an optional port
  std::string authorization{};
  std::string content_type{};
  std::string accept{};
  std::string user_agent{};
  std::string accept_encoding{};
  std::string if_none_match{};
  // The impersonation headers: the lines whose names begin with "impersonate-", with names in lower
  // case, in the order of the request.
  std::vector<std::pair<std::string, std::string>> impersonation{};
  std::string body{};
  Body body_state = Body::kWhole;
};

struct HttpHead {
  int code = 200;
  // The server sets the framing headers (Content-Length, Transfer-Encoding, Connection, Date); they
  // must not be in this list. Line breaks in values become spaces.
  std::vector<std::pair<std::string, std::string>> headers{};
};

// One request and its response. All calls are thread-safe and return at once. Call either
// respond(), or begin(), then write() any number of times, each after the previous one is done, and
// end(). If the client has disconnected, calls do nothing. An exchange that is destroyed without a
// response is answered with 500.
class HttpExchange {
 public:
  virtual ~HttpExchange() = default;

  [[nodiscard]] virtual HttpRequest& request() = 0;

  virtual void respond(HttpHead head, Bytes body) = 0;

  virtual void begin(HttpHead head) = 0;
  // `done(true)`: the bytes were handed to the system, so writes follow the client's pace;
  // `done(false)`: the client has disconnected or was cut off.
  virtual void write(Bytes bytes, std::function<void(bool)> done) = 0;
  virtual void end() = 0;

  // Calls `over` exactly once, from a server thread: when the response is written, the client has
  // disconnected, or the server stops. A later call replaces it. Must be set before responding.
  virtual void on_over(std::function<void()> over) = 0;
};

// Called from the server's threads, concurrently for different connections.
class HttpHandler {
 public:
  virtual ~HttpHandler() = default;

  // Called after the head, before the body is read: the body of an unauthorised request need not be
  // received.
  [[nodiscard]] virtual bool wants_body(const HttpRequest& head) = 0;
  virtual void handle(std::shared_ptr<HttpExchange> exchange) = 0;
};

}  // namespace ebb::net
