// A server of src/net with a test's handler, and a way to wait for its threads.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/mutex.h"
#include "net/server/http_server.h"

namespace ebb::support {

inline constexpr std::chrono::seconds kSignalPatience{30};

using net::HttpExchange;
using net::HttpHandler;
using net::HttpRequest;
using net::HttpServer;
using net::HttpServerSettings;

using Exchange = std::shared_ptr<HttpExchange>;

// A signal that another thread gives once.
class Signal {
 public:
  void set() {
    const MutexLock lock(mutex_);
    set_ = true;
    changed_.notify_all();
  }
  [[nodiscard]] bool wait() {
    const auto end = std::chrono::steady_clock::now() + kSignalPatience;
    const MutexLock lock(mutex_);
    while (!set_) {
      if (!changed_.wait_until(mutex_, end)) break;
    }
    return set_;
  }
  [[nodiscard]] bool is_set() {
    const MutexLock lock(mutex_);
    return set_;
  }

 private:
  Mutex mutex_;
  ConditionVariable changed_;
  bool set_ EBB_GUARDED_BY(mutex_) = false;
};

// Echoes the request, unless a test sets another function.
class FunctionHandler : public HttpHandler {
 public:
  bool wants_body(const HttpRequest& head) override { return head.path != "/unwanted"; }
  void handle(Exchange exchange) override { answer(std::move(exchange)); }

  std::function<void(Exchange)> answer = [](const Exchange& exchange) {
    const HttpRequest& request = exchange->request();
    if (request.body_state == HttpRequest::Body::kTooLarge) {
      return exchange->respond({.code = 413}, Bytes("too large"));
    }
    if (request.body_state == HttpRequest::Body::kUnwanted) {
      return exchange->respond({.code = 401}, Bytes("who are you"));
    }
    exchange->respond({.headers = {{"Content-Type", "text/plain"}}},
                      Bytes(fmt::format("{} {} {} {}", request.method, request.path, request.query,
                                        request.body)));
  };
};

// A real server on a real socket, with settings that a test can change before it starts.
class HttpServerScene : public ::testing::Test {
 protected:
  void start() {
    auto started = HttpServer::start(settings, handler);
    ASSERT_TRUE(started) << started.error().message;
    server = std::move(*started);
  }
  [[nodiscard]] std::uint16_t port() const { return server->port(); }

  HttpServerSettings settings;
  FunctionHandler handler;
  std::unique_ptr<HttpServer> server;
};

}  // namespace ebb::support
