// An asynchronous HTTP client: libcurl's multi interface, driven by the thread that calls poll().
//
// One thread owns a client: it sends, polls and runs callbacks, without locks. Only wake() is
// thread-safe. Connections are kept and shared. The client follows no redirects and takes no proxy
// from the environment.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/timestamp.h"
#include "net/address/ip_address.h"
#include "net/client/dialer.h"

namespace ebb::net {

// TLS settings for a server. Transfers with equal settings share connections.
struct HttpClientTls {
  std::string ca_pem{};           // empty: the system's authorities
  bool system_too = false;        // the system's are trusted in addition to ca_pem
  bool insecure = false;          // no verification of the server
  std::string server_name{};      // expected in the certificate; empty: the host of the URL
  std::string certificate_pem{};  // of the client (client_identity.h), with its key; empty: none
  std::string key_pem{};
};

struct HttpCall {
  std::string method = "GET";
  std::string url{};  // https://host:port/path?query
  std::vector<std::pair<std::string, std::string>> headers{};
  std::string body{};
  std::shared_ptr<const std::string> shared_body{};  // in place of `body`
  std::shared_ptr<const HttpClientTls> tls{};        // nothing: as HttpClientTls{}
  std::string proxy{};                               // http://, https:// or socks5://; empty: none
  // The whole call, from sending to the last byte; 0: no limit (streams).
  Nanoseconds total_ns = 0;
  Nanoseconds connect_ns = 5 * kNanosecondsPerSecond;
  // The longest time without data; 0: no limit.
  Nanoseconds silence_ns = 0;
  // A longer body aborts the call; 0: no limit.
  std::size_t max_bytes = 0;
  // The same for all heads and trailers together.
  std::size_t max_head_bytes = 0;
  // Does not wait for other calls: opens a connection if none is free.
  bool urgent = false;
  // The address to connect to, whatever the URL's host resolves to.
  std::optional<IpAddress> address{};
  // HTTP/2 from the first byte, or negotiated by TLS. Without TLS, also set `alone`: curl 7.88
  // starts over on a reused connection.
  bool only_http2 = false;
  // Accepts a compressed response; max_bytes limits the decompressed size.
  bool gzip = false;
  // May be sent again if a kept connection turns out to be closed.
  bool idempotent = false;
  // Bodies of responses other than 2xx are not kept.
  bool drop_errors = false;
  // Uses a connection of its own that is not reused, without a TLS session. Also for client
  // certificates, because curl distinguishes certificates but not their keys.
  bool alone = false;
};

struct HttpReply {
  // Whether a request without a response may have been carried out.
  enum class Failure : std::uint8_t {
    kNone,
    kNotSent,  // no connection, no name, no trust: no byte of the request was sent
    kBroken,   // anything later
  };

  enum class Reason : std::uint8_t {
    kNone,
    kTimeout,
    kForbidden,  // the dialer refused it
    kNoConnection,
    kUntrusted,  // the certificate of either side was rejected
    kHandshake,  // the TLS handshake failed for another reason
    kTooLong,    // body or head
    kNonsense,   // not HTTP, or truncated
    kLost,       // the connection ended
  };

  Failure failure = Failure::kNone;
  Reason reason = Reason::kNone;
  std::string error{};  // the error, for people
  // The same without anything that the server sent.
  std::string plain_error{};
  int version = 0;  // 10, 11, 20
  int code = 0;
  std::optional<int> grpc_status{};
  std::string content_type{};
  std::uint64_t content_length = 0;  // as announced; 0: not announced
  std::vector<std::string> warnings{};
  int retry_after_seconds = 0;
  std::string body{};  // empty if delivered in pieces
};

class HttpClient {
 public:
  using Id = std::uint64_t;
  using Done = std::function<void(HttpReply)>;
  // A piece of the body of a 2xx response. Other responses are delivered whole.
  using Piece = std::function<void(std::string_view)>;

  struct Settings {
    // Further calls wait until one is done, but at most patience_ns, so that a slow server is not
    // made to look even slower. Streams and urgent calls do not count. 0: no limit.
    std::size_t connections_per_host = 0;
    Nanoseconds patience_ns = 5 * kNanosecondsPerSecond;
    // Uses HTTP/2 if the server offers it. Off by default: for bursts of small requests it costs
    // curl more than a few dozen connections, and one broken connection fails all its calls.
    bool http2 = false;
    // Idle connections beyond this number, or older than this, are closed.
    std::size_t kept_connections = 512;
    Nanoseconds kept_ns = 60 * kNanosecondsPerSecond;
    // For thousands of concurrent calls that each transfer little.
    bool small_buffers = false;
    // For all bodies that are not delivered in pieces (body_budget.h); 0: no limit.
    std::size_t max_total_bytes = 0;
    // Must outlive the client; null: the system's.
    Dialer* dialer = nullptr;
    // Sends calls that need no proxy over the client's own connections instead of curl's HTTP
    // (http1_connection.h): for many small calls to one server.
    bool http1_connections = false;
  };

  explicit HttpClient(Settings settings);
  // Drops in-flight calls without callbacks.
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  // `done` is called once, from poll().
  Id send(HttpCall call, Done done);
  Id stream(HttpCall call, Piece piece, Done done);
  // Prevents the callback. May be called from a callback.
  void cancel(Id id);

  // Waits for an event, wake() or the timeout, then runs callbacks.
  void poll(Nanoseconds longest_ns);
  // Makes poll() return. Thread-safe.
  void wake();
  // poll() also returns when this descriptor is readable.
  void watch(int descriptor);

  // Closes idle connections if no call is in flight.
  void close_idle();

  [[nodiscard]] std::size_t in_flight() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ebb::net
