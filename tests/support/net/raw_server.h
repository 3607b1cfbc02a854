// A server for tests of clients that follows a script for each connection: answer, stall, close in
// the middle. Plain or over TLS.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/mutex.h"

namespace ebb::support {

struct RawTls {
  std::string certificate_pem{};
  std::string key_pem{};
  bool ask_for_certificate = false;  // any certificate is accepted
  bool http2 = false;                // offered by ALPN
  std::string ciphers{};             // of TLS 1.2, which is then used; empty: the default
  std::string issuers_pem{};         // sent after the certificate
  std::string groups{};              // for the exchange of keys; empty: the default
};

class RawConnection {
 public:
  RawConnection(int socket, void* tls) : socket_(socket), tls_(tls) {}
  ~RawConnection();
  RawConnection(const RawConnection&) = delete;
  RawConnection& operator=(const RawConnection&) = delete;

  // Reads head and body (by Content-Length); nothing if the client has disconnected.
  [[nodiscard]] std::optional<std::string> read_request();
  bool write(std::string_view text);
  // Sends an answer with Content-Length.
  bool answer(int code, std::string_view body, std::string_view headers = "");
  void close();
  // The client sees a broken connection instead of a clean end.
  void reset();
  // Returns the number of bytes, as recv does.
  [[nodiscard]] int read_some(char* into, int size);
  // Waits, and returns whether the client closes.
  [[nodiscard]] bool is_closed_by_client();

  // The server name in the client's handshake.
  [[nodiscard]] std::string server_name() const;
  [[nodiscard]] std::string client_certificate_pem() const;

 private:
  int socket_;
  void* tls_;  // SSL*
  std::string unread_;
};

class RawServer {
 public:
  // Each connection has a thread; `number` counts them from 0.
  using Script = std::function<void(RawConnection&, int number)>;

  explicit RawServer(Script script, std::optional<RawTls> tls = std::nullopt);
  // Cuts all connections and waits for the scripts.
  ~RawServer();
  RawServer(const RawServer&) = delete;
  RawServer& operator=(const RawServer&) = delete;

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] std::string url(std::string_view path = "/") const;
  [[nodiscard]] int connections() const { return connections_; }

 private:
  void accept_all();
  void serve(int socket, int number);

  Script script_;
  void* context_ = nullptr;  // SSL_CTX*
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<int> connections_ = 0;
  Mutex mutex_;
  bool stopping_ EBB_GUARDED_BY(mutex_) = false;
  std::vector<int> sockets_ EBB_GUARDED_BY(mutex_);
  std::vector<std::thread> threads_ EBB_GUARDED_BY(mutex_);
  std::thread acceptor_;
};

// The same certificate, but expired a day ago.
[[nodiscard]] std::string expired(const std::string& certificate_pem,
                                  const std::string& authority_key_pem);

}  // namespace ebb::support
