// A curl easy handle, configured for a call. Handles are reused: options that are the same for all
// calls are set once, and options that did not change since the last call are kept.
#pragma once  // private to its room

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <curl/curl.h>

#include "net/client/http_client.h"
#include "net/client/reply_reader.h"

namespace ebb::net {

// Shared by the handles of a client: TLS sessions, so that another connection to the same server
// costs half a handshake. It must outlive them.
class CurlShare {
 public:
  CurlShare();
  ~CurlShare();
  CurlShare(const CurlShare&) = delete;
  CurlShare& operator=(const CurlShare&) = delete;

  [[nodiscard]] CURLSH* get() const { return share_; }

 private:
  CURLSH* share_;
};

// Receives the events of a handle. As in curl, true means continue.
class CurlListener : public ReplyListener {
 public:
  // The connection is established and the request is about to be sent. Curl calls it again before
  // it repeats a request by itself.
  [[nodiscard]] virtual bool about_to_send() = 0;
  // The number of body bytes received, before decompression.
  [[nodiscard]] virtual bool packed_bytes(std::uint64_t count) = 0;
  // Opens a socket for an address; -1 on refusal. It may change the address.
  [[nodiscard]] virtual int open_socket(curl_sockaddr& address) = 0;
};

class CurlTransfer {
 public:
  struct Settings {
    bool http2 = false;
    bool small_buffers = false;
    bool own_sockets = false;  // the listener opens them
    long idle_seconds = 0;     // older connections are not reused
  };

  CurlTransfer(const CurlShare& share, const Settings& settings);
  ~CurlTransfer();
  CurlTransfer(const CurlTransfer&) = delete;
  CurlTransfer& operator=(const CurlTransfer&) = delete;

  [[nodiscard]] CURL* get() const { return curl_; }

  // `call` and `listener` must outlive the transfer. `total_ns` replaces call.total_ns.
  void configure(const HttpCall& call, Nanoseconds total_ns, CurlListener& listener);

  // Only connects to the call's server; the caller then uses the connection (curl_easy_send,
  // curl_easy_recv). It lasts until the handle is removed from the loop.
  void configure_for_connect(const HttpCall& call, Nanoseconds total_ns, CurlListener& listener);

  // The error, for people.
  [[nodiscard]] std::string error(CURLcode code) const;

 private:
  using Headers = std::vector<std::pair<std::string, std::string>>;

  void set_constants();
  void set_server(const HttpCall& call);
  void set_tls(const HttpClientTls& tls);
  void set_method(const HttpCall& call);
  void set_headers(const HttpCall& call, const std::string& host);
  void set_address(const HttpCall& call);
  void set_times(const HttpCall& call, Nanoseconds total_ns);
  void set_options(const HttpCall& call);

  CURLSH* share_;
  Settings settings_;
  CURL* curl_;
  curl_slist* header_list_ = nullptr;
  curl_slist* connect_to_ = nullptr;
  Headers headers_;
  std::string host_;  // sent instead of the URL's; empty: the URL's
  bool configured_ = false;
  std::shared_ptr<const HttpClientTls> tls_;
  std::string proxy_;
  char error_[CURL_ERROR_SIZE] = {};
};

}  // namespace ebb::net
