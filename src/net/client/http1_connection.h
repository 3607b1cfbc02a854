// An HTTP/1.1 connection that curl establishes and ebb then uses for one call after the other,
// without curl's own HTTP: a controller's writes are many, small and alike, and a curl transfer for
// each costs more than everything else.
//
// Curl still handles names, TLS and trust, and carries the bytes. A connection belongs to one
// server and one identity for its lifetime, and to one call at a time.
#pragma once  // private to its room

#include <memory>
#include <optional>
#include <string>

#include "net/client/curl_loop.h"
#include "net/client/curl_transfer.h"
#include "net/client/http_client.h"
#include "net/client/reply_reader.h"

namespace ebb::net {

class Http1Connection {
 public:
  using Progress = ReplyReader::Progress;

  // All arguments must outlive the connection.
  Http1Connection(CurlLoop& loop, const CurlShare& share, const CurlTransfer::Settings& settings);
  // Closes it.
  ~Http1Connection();
  Http1Connection(const Http1Connection&) = delete;
  Http1Connection& operator=(const Http1Connection&) = delete;

  // Whether the call can be sent this way. Proxies are left to curl, and so are URLs that curl
  // might interpret differently.
  [[nodiscard]] static bool can_take(const HttpCall& call);
  // Whether this connection has the server and the identity of the call.
  [[nodiscard]] bool leads_to(const HttpCall& call) const;

  // Starts to connect. The loop notifies `listener` when that is done.
  void connect(const HttpCall& call, Nanoseconds total_ns, CurlListener& listener);
  // Called after curl connected. From then on the loop reports when the socket is ready.
  void connected();
  [[nodiscard]] int socket() const { return socket_; }  // -1 until then

  // It is open and has not been idle for long.
  [[nodiscard]] bool fit_for_use(Nanoseconds now_ns) const;
  // Sends a call, which must stay alive until it is done.
  [[nodiscard]] Progress begin(const HttpCall& call, CurlListener& listener);
  // Continues the call when the socket is ready.
  [[nodiscard]] Progress work();
  // A part of the call is not sent yet.
  [[nodiscard]] bool is_writing() const { return waits_to_write_; }
  // After kDone: makes the connection idle, and returns whether it can be kept.
  [[nodiscard]] bool rest(Nanoseconds now_ns);

  // The call got no byte of a response on a reused connection: the server may have closed it before
  // the request arrived.
  [[nodiscard]] bool went_stale() const { return calls_ > 1 && !reader_.begun(); }
  // The error, for people.
  [[nodiscard]] std::string error() const { return error_; }
  [[nodiscard]] std::string error(CURLcode code) const { return curl_.error(code); }

 private:
  Progress write();
  Progress read();
  Progress broken(std::string error);

  CurlLoop& loop_;
  Nanoseconds longest_idle_ns_;
  CurlTransfer curl_;
  std::string server_;  // scheme://host:port
  std::shared_ptr<const HttpClientTls> tls_;
  int socket_ = -1;
  std::size_t calls_ = 0;
  std::optional<Nanoseconds> idle_since_ns_;
  // Of the current call.
  CurlListener* listener_ = nullptr;
  std::string request_;
  std::size_t written_ = 0;
  bool waits_to_write_ = false;
  ReplyReader reader_;
  std::string error_;
};

}  // namespace ebb::net
