// A connection that curl makes, and on which calls are then spoken one after the other without
// curl's own HTTP: writes of a controller are many, small and alike, and taking each through a
// transfer of curl costs more than everything else that is done for it.
//
// Names, TLS and trust stay with curl, which also carries the bytes. A line belongs to one server
// and one identity for as long as it lives, and to one call at a time.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "net/curl_loop.h"
#include "net/curl_transfer.h"
#include "net/http_client.h"
#include "net/reply_reader.h"

namespace ebb::net {

class CurlLine {
 public:
  using Progress = ReplyReader::Progress;

  // All must outlive it.
  CurlLine(CurlLoop& loop, const CurlShare& share, const CurlTransfer::Settings& settings);
  // Closes it.
  ~CurlLine();
  CurlLine(const CurlLine&) = delete;
  CurlLine& operator=(const CurlLine&) = delete;

  // Whether a call can be spoken so. Proxies are left to curl, and so is a URL in which it might
  // see something else than we do.
  [[nodiscard]] static bool can_take(const HttpCall& call);
  // Whether this line leads where the call is to go, as who it is to be.
  [[nodiscard]] bool leads_to(const HttpCall& call) const;

  // Begins to connect. The loop tells `listener` when that is over.
  void connect(const HttpCall& call, Nanoseconds total_ns, CurlListener& listener);
  // What curl said of it. From then on the loop tells when something can be done here.
  void connected();
  [[nodiscard]] int socket() const { return socket_; }  // -1 until then

  // Nobody has closed it, and it has not been idle for long.
  [[nodiscard]] bool fit_for_use(Nanoseconds now_ns) const;
  // Speaks a call, which must stay until it is over.
  [[nodiscard]] Progress begin(const HttpCall& call, CurlListener& listener);
  // Goes on with it, now that something can be read or written.
  [[nodiscard]] Progress work();
  // After kDone: whether the line can be kept. It is idle then.
  [[nodiscard]] bool rest(Nanoseconds now_ns);

  // The call has got no byte of an answer, on a line that others have used before: it may have
  // been closed before the request came.
  [[nodiscard]] bool went_stale() const { return calls_ > 1 && !reader_.begun(); }
  // What went wrong, for people.
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
  // Of the call.
  CurlListener* listener_ = nullptr;
  std::string request_;
  std::size_t written_ = 0;
  bool waits_to_write_ = false;
  ReplyReader reader_;
  std::string error_;
};

}  // namespace ebb::net
