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

namespace ebb::net {

// How to speak to one server. Transfers with equal settings share connections.
struct HttpClientTls {
  std::string ca_pem{};           // empty: the system's authorities
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
  std::shared_ptr<const HttpClientTls> tls{};  // nothing: as HttpClientTls{}
  std::string proxy{};                         // http://, https:// or socks5://; empty: none
  // All of it, from sending to the last byte; 0: no limit (streams).
  Nanoseconds total_ns = 0;
  Nanoseconds connect_ns = 5 * kNanosecondsPerSecond;
  // The longest silence; 0: no limit.
  Nanoseconds silence_ns = 0;
  // An answer longer than this is given up; 0: no limit.
  std::size_t most_bytes = 0;
  // Does not wait for others: a connection is opened if none is free.
  bool urgent = false;
};

struct HttpReply {
  // Whether a request that got no answer may have been carried out.
  enum class Failure : std::uint8_t {
    kNone,
    kNotSent,  // no connection, no name, no trust: no byte of the request was taken
    kBroken,   // anything later
  };

  Failure failure = Failure::kNone;
  std::string error{};  // what went wrong, for people
  int code = 0;
  std::string content_type{};
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

  [[nodiscard]] std::size_t under_way() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ebb::net
