// What an HTTP server hands to whoever answers its requests. Nothing here knows sockets.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"

namespace ebb::net {

struct HttpRequest {
  // Whether `body` is what the client sent.
  enum class Body : std::uint8_t {
    kWhole,     // all of it (or there was none)
    kTooLarge,  // longer than the server's limit; not kept
    kUnwanted,  // HttpHandler::wants_body said no; not read
  };

  bool from_loopback = false;  // whoever asks is on this machine, or in this pod
  std::string method{};        // GET, in the client's letters
  std::string path{};          // percent-encoding as on the wire; always begins with a slash
  std::string query{};         // what follows the question mark
  std::string authorization{};
  std::string content_type{};
  std::string accept{};
  std::string user_agent{};
  std::string accept_encoding{};
  std::string if_none_match{};
  // Whom the client wants to be taken for: the header lines whose names begin with "impersonate-",
  // their names in small letters, in the order of the request.
  std::vector<std::pair<std::string, std::string>> impersonation{};
  std::string body{};
  Body body_state = Body::kWhole;
};

struct HttpHead {
  int code = 200;
  // Framing headers (Content-Length, Transfer-Encoding, Connection, Date) are the
  // server's business and must not stand here. Line breaks in values become spaces.
  std::vector<std::pair<std::string, std::string>> headers{};
};

// One request and the answer to it. All calls may be made from any thread and return at
// once. Either respond(), or begin(), any number of write() each after the one before is
// done, and end(). If the client has gone, calls do nothing. An exchange that is let go
// of before it was answered is answered with 500.
class HttpExchange {
 public:
  virtual ~HttpExchange() = default;

  [[nodiscard]] virtual HttpRequest& request() = 0;

  virtual void respond(HttpHead head, Bytes body) = 0;

  virtual void begin(HttpHead head) = 0;
  // `done(true)`: the bytes were handed to the system, so the client takes them at its
  // pace; `done(false)`: the client has gone or was cut off.
  virtual void write(Bytes bytes, std::function<void(bool)> done) = 0;
  virtual void end() = 0;

  // Calls `over` exactly once, from a thread of the server: when the answer was written
  // completely, the client has gone, or the server stops. A later call replaces it. To be
  // set before answering.
  virtual void on_over(std::function<void()> over) = 0;
};

// Called from the threads of the server, at the same time for different connections.
class HttpHandler {
 public:
  virtual ~HttpHandler() = default;

  // Asked once the head has come, before a body is read: who may not write need not send.
  [[nodiscard]] virtual bool wants_body(const HttpRequest& head) = 0;
  virtual void handle(std::shared_ptr<HttpExchange> exchange) = 0;
};

}  // namespace ebb::net
