// Drives libcurl's multi interface by epoll: only ready sockets cost work, so that five hundred
// in-flight transfers do not make each event five hundred times as expensive (as curl_multi_perform
// would).
#pragma once

#include <functional>
#include <optional>

#include <curl/curl.h>

#include "base/timestamp.h"
#include "net/address/steady_clock.h"

namespace ebb::net {

class CurlLoop {
 public:
  struct Settings {
    long kept_connections = 0;  // more idle ones are closed
    bool multiplex = false;     // HTTP/2: many transfers on one connection
  };

  explicit CurlLoop(const Settings& settings);
  // No transfer may be left.
  ~CurlLoop();
  CurlLoop(const CurlLoop&) = delete;
  CurlLoop& operator=(const CurlLoop&) = delete;

  // Returns whether the transfer was added. Neither function may be called from a curl callback.
  [[nodiscard]] bool add(CURL* transfer);
  void remove(CURL* transfer);

  // Waits, then processes ready sockets and calls `finished` for each completed transfer, which
  // must remove it.
  using Finished = std::function<void(CURL*, CURLcode)>;
  // Called when a watched socket is ready. Returns false if the socket is unknown.
  using Ready = std::function<bool(int socket)>;
  void run(Nanoseconds longest_ns, const Finished& finished, const Ready& ready);
  // Makes run() return. Thread-safe.
  void wake();
  // Closes all connections. No transfer may be in flight.
  void close_connections();
  // run() also returns when this descriptor is readable.
  void watch_also(int descriptor);

  // Watches a socket that curl created but no longer handles (CURLOPT_CONNECT_ONLY) for reading,
  // and optionally for writing.
  void watch_socket(int socket, bool also_writing);
  void unwatch_socket(int socket);

 private:
  void make_multi();
  static int on_socket(CURL* transfer, curl_socket_t socket, int what, void* loop, void* known);
  static int on_timer(CURLM* multi, long timeout_ms, void* loop);

  void watch(int socket, int what, bool known);
  void work_on(int socket, int events);
  void work_on_timers();
  // Returns whether there were any.
  bool notify_finished(const Finished& finished);

  Settings settings_;
  int epoll_ = -1;
  int wake_ = -1;
  int other_ = -1;
  CURLM* multi_ = nullptr;
  std::optional<Nanoseconds> timer_ns_;  // the next time curl wants to be called
};

}  // namespace ebb::net
