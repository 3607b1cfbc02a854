// One of curl's easy handles, dressed for a call. Handles are used again and again: what is the
// same for all calls is set once, what is the same as for the call before is left as it is.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <curl/curl.h>

#include "net/http_client.h"
#include "net/reply_reader.h"

namespace ebb::net {

// What the handles of a client share: TLS sessions, so that a further connection to the same
// server costs half a handshake. It must outlive them.
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

// Where a handle reports to. Return values as curl wants them: true to go on.
class CurlListener : public ReplyListener {
 public:
  // A connection is there and the request is about to be written to it. Curl says so once more
  // before it repeats a request by itself.
  [[nodiscard]] virtual bool about_to_send() = 0;
  // How much of the body has come, before it is unpacked.
  [[nodiscard]] virtual bool packed_bytes(std::uint64_t count) = 0;
  // A socket for an address, or -1. It may change the address.
  [[nodiscard]] virtual int open_socket(curl_sockaddr& address) = 0;
};

class CurlTransfer {
 public:
  struct Settings {
    bool http2 = false;
    bool small_buffers = false;
    bool own_sockets = false;  // the listener opens them
    long idle_seconds = 0;     // older connections are not used again
  };

  CurlTransfer(const CurlShare& share, const Settings& settings);
  ~CurlTransfer();
  CurlTransfer(const CurlTransfer&) = delete;
  CurlTransfer& operator=(const CurlTransfer&) = delete;

  [[nodiscard]] CURL* get() const { return curl_; }

  // `call` and `listener` must stay until the transfer is over. `total_ns` replaces call.total_ns.
  void dress(const HttpCall& call, Nanoseconds total_ns, CurlListener& listener);

  // Only for a connection to where the call is to go, which is then the caller's to use
  // (curl_easy_send, curl_easy_recv). It lasts until the handle is taken from the loop.
  void dress_for_connecting(const HttpCall& call, Nanoseconds total_ns, CurlListener& listener);

  // What went wrong, for people.
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
  void set_particulars(const HttpCall& call);

  CURLSH* share_;
  Settings settings_;
  CURL* curl_;
  curl_slist* header_list_ = nullptr;
  curl_slist* connect_to_ = nullptr;
  Headers headers_;
  std::string host_;  // sent instead of the URL's; empty: the URL's
  bool dressed_ = false;
  std::shared_ptr<const HttpClientTls> tls_;
  std::string proxy_;
  char error_[CURL_ERROR_SIZE] = {};
};

}  // namespace ebb::net
