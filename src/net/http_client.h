// An asynchronous HTTP client: libcurl's multi interface, driven by the thread that calls poll().
//
// One thread owns a client: it sends, polls and is called back, all without locks. Only wake()
// may be called from elsewhere. Connections are kept and shared; nothing follows redirects, and
// no proxy is taken from the environment.
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
#include "net/dialer.h"
#include "net/ip_address.h"

namespace ebb::net {

// How to speak to one server. Transfers with equal settings share connections.
struct HttpClientTls {
  std::string ca_pem{};           // empty: the system's authorities
  bool system_too = false;        // the system's are believed besides ca_pem
  bool insecure = false;          // whoever answers is believed
  std::string server_name{};      // expected in the certificate; empty: the host of the URL
  std::string certificate_pem{};  // of the client, with its key; empty: none
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
  // All of it, from sending to the last byte; 0: no limit (streams).
  Nanoseconds total_ns = 0;
  Nanoseconds connect_ns = 5 * kNanosecondsPerSecond;
  // The longest silence; 0: no limit.
  Nanoseconds silence_ns = 0;
  // An answer longer than this is given up; 0: no limit.
  std::size_t most_bytes = 0;
  // The same for all heads and trailers together.
  std::size_t most_head_bytes = 0;
  // Does not wait for others: a connection is opened if none is free.
  bool urgent = false;
  // What is connected to, whatever the name in the URL stands for.
  std::optional<IpAddress> address{};
  // Spoken from the first byte, or agreed on by TLS. In the first case it wants to be `alone`:
  // curl 7.88 begins anew on a connection that is used again.
  bool only_http2 = false;
  // The answer may come compressed; most_bytes counts what it becomes.
  bool gzip = false;
  // It may be sent once more if a kept connection turns out to be gone.
  bool idempotent = false;
  // Bodies of answers other than 2xx are not kept.
  bool drop_errors = false;
  // On a connection that nobody has used before or will use again, without a session of TLS.
  // Also for client certificates, because curl tells them apart but not their keys.
  bool alone = false;
};

struct HttpReply {
  // Whether a request that got no answer may have been carried out.
  enum class Failure : std::uint8_t {
    kNone,
    kNotSent,  // no connection, no name, no trust: no byte of the request was taken
    kBroken,   // anything later
  };

  enum class Reason : std::uint8_t {
    kNone,
    kTimeout,
    kForbidden,  // the dialer would not have it
    kNoConnection,
    kUntrusted,  // a certificate, ours or theirs, is not good enough
    kHandshake,  // TLS did not come about for another reason
    kTooLong,    // body or head
    kNonsense,   // no HTTP, or less of it than was promised
    kLost,       // the connection ended
  };

  Failure failure = Failure::kNone;
  Reason reason = Reason::kNone;
  std::string error{};  // what went wrong, for people
  // The same in our own words: nothing that the server sent.
  std::string plain_error{};
  int version = 0;  // 10, 11, 20
  int code = 0;
  std::optional<int> grpc_status{};
  std::string content_type{};
  std::uint64_t content_length = 0;  // as announced; 0: not at all
  std::vector<std::string> warnings{};
  int retry_after_seconds = 0;
  std::string body{};  // empty where pieces were taken
};

class HttpClient {
 public:
  using Id = std::uint64_t;
  using Done = std::function<void(HttpReply)>;
  // A piece of the body of a 2xx answer. Other answers come whole.
  using Piece = std::function<void(std::string_view)>;

  struct Settings {
    // More calls wait until one is over, but none for longer than patience_ns, so that a server
    // that is slow is not made to look slower still. Streams and what is urgent do not count.
    // 0: as many as there are calls.
    std::size_t connections_per_host = 0;
    Nanoseconds patience_ns = 5 * kNanosecondsPerSecond;
    // If the server offers it. Off: for bursts of small requests it costs curl more than a few
    // dozen connections do, and one connection that breaks takes all calls with it.
    bool http2 = false;
    // Idle connections beyond this are closed, and those that are older.
    std::size_t kept_connections = 512;
    Nanoseconds kept_ns = 60 * kNanosecondsPerSecond;
    // For thousands of calls at once that each move little.
    bool small_buffers = false;
    // Of all bodies that are not taken in pieces (body_budget.h); 0: no limit.
    std::size_t most_bytes_together = 0;
    // Must outlive the client; nothing: the system's.
    Dialer* dialer = nullptr;
    // Calls that need no proxy go over connections that belong to the client rather than through
    // curl's own HTTP (curl_line.h): for many small calls to one server.
    bool lines = false;
  };

  explicit HttpClient(Settings settings);
  // Drops what is under way without calling anybody.
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  // `done` is called once, from poll().
  Id send(HttpCall call, Done done);
  Id stream(HttpCall call, Piece piece, Done done);
  // Nobody is called any more. May be called from a callback.
  void cancel(Id id);

  // Waits until something happens, wake() is called or the time is over, then calls back.
  void poll(Nanoseconds longest_ns);
  // From any thread: poll() returns.
  void wake();
  // poll() also returns when there is something to be read there.
  void watch(int descriptor);

  // Closes connections that are kept, if no call is under way.
  void close_idle();

  [[nodiscard]] std::size_t under_way() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ebb::net
