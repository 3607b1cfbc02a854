// Generates load for an HTTPS server on this machine from one thread: requests over a number of
// keep-alive connections, and watches whose events are counted. The client is as cheap as
// possible, because it shares the processors with the server that is measured.
//
// Anything unexpected throws, because the figure would be meaningless.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl/context.hpp>

#include "bench/server_process.h"

namespace ebb::bench {

struct Request {
  std::string_view method = "GET";
  std::string target{};
  std::string body{};
  std::string_view content_type = "application/json";
  std::string_view accept = "application/json";
};

class HttpsClient {
 public:
  explicit HttpsClient(const Endpoint& server);
  ~HttpsClient();
  HttpsClient(const HttpsClient&) = delete;
  HttpsClient& operator=(const HttpsClient&) = delete;

  using MakeRequest = std::function<Request(std::size_t index)>;
  // Sends `count` requests over so many connections, on each the next one as soon as the
  // one before is answered. Returns how many bytes the bodies of the answers had.
  std::size_t send(std::size_t count, std::size_t connections, const MakeRequest& make);
  struct Body {
    std::string beginning{};  // a few kilobytes
    std::size_t size = 0;
  };
  Body fetch(const Request& request);
  // The beginning of the answer's body.
  std::string ask(const Request& request) { return fetch(request).beginning; }

  // Called for each event of a watch, with its number within the watch.
  using OnEvent = std::function<void(std::size_t nth)>;
  // Opens watches; all of them are open when this returns.
  void watch(std::size_t count, const std::string& target, OnEvent on_event = nullptr);
  // Waits until the watches together have received this many events since they were opened.
  void wait_for_events(std::size_t count);
  // Receives events for this long.
  void take_events_until(std::chrono::steady_clock::time_point time);
  [[nodiscard]] std::size_t watched_bytes() const;
  void close_watches();

 private:
  class Connection;

  struct Sending;

  [[nodiscard]] std::shared_ptr<Connection> connect();
  void send_next(Connection& connection, Sending& sending);
  void run_until(const std::function<bool()>& done);

  Endpoint server_;
  boost::asio::io_context io_;
  boost::asio::ssl::context tls_;
  std::vector<std::shared_ptr<Connection>> connections_;
  std::vector<std::shared_ptr<Connection>> watches_;
  std::size_t events_ = 0;  // of all watches
  OnEvent on_event_;
};

}  // namespace ebb::bench
