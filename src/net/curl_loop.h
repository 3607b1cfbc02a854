// libcurl's multi interface driven by epoll: what is ready is worked on, and nothing else, so
// that five hundred transfers under way do not make each event five hundred times as dear (as
// curl_multi_perform would).
#pragma once

#include <functional>
#include <optional>

#include <curl/curl.h>

#include "base/timestamp.h"

namespace ebb::net {

// Counts from an arbitrary moment and never goes back.
[[nodiscard]] Nanoseconds steady_now_ns();

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

  // Whether it could be added. Neither may be called from a callback of curl.
  [[nodiscard]] bool add(CURL* transfer);
  void remove(CURL* transfer);

  // Waits, then works on what is ready; `finished` hears of each transfer that came to its end
  // and removes it.
  using Finished = std::function<void(CURL*, CURLcode)>;
  // Something can be done with a socket that is attended. False: nobody knows it.
  using Ready = std::function<bool(int socket)>;
  void run(Nanoseconds longest_ns, const Finished& finished, const Ready& ready);
  // From any thread: run() returns.
  void wake();
  // Closes all connections. No transfer may be under way.
  void close_connections();
  // run() also returns when there is something to be read there.
  void watch_also(int descriptor);

  // Sockets that curl has made and works on no more (CURLOPT_CONNECT_ONLY): when something can be
  // read, or also when something can be written.
  void attend(int socket, bool also_writing);
  void neglect(int socket);

 private:
  void make_multi();
  static int on_socket(CURL* transfer, curl_socket_t socket, int what, void* loop, void* known);
  static int on_timer(CURLM* multi, long timeout_ms, void* loop);

  void watch(int socket, int what, bool known);
  void work_on(int socket, int events);
  void work_on_timers();
  // Whether there was any.
  bool tell_finished(const Finished& finished);

  Settings settings_;
  int epoll_ = -1;
  int wake_ = -1;
  int other_ = -1;
  CURLM* multi_ = nullptr;
  std::optional<Nanoseconds> timer_ns_;  // when curl wants to be called
};

}  // namespace ebb::net
