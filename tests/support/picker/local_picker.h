// A real picker on loopback: answers over HTTP by a function, optionally with a delay, and records
// all requests.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <queue>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "net/server/http_server.h"

namespace ebb::support {

class LocalPicker : public net::HttpHandler {
 public:
  struct Asked {
    std::string authorization{};
    std::string content_type{};
    std::string body{};
  };
  struct Answer {
    int code = 200;
    std::string body{};
    std::string content_type = "application/json";
  };
  // Called from the server's threads.
  using Decide = std::function<Answer(const Asked&)>;

  // Each answer is sent `takes` after its request. Throws if the server cannot start.
  explicit LocalPicker(Decide decide, std::chrono::milliseconds takes = {});
  ~LocalPicker() override;
  LocalPicker(const LocalPicker&) = delete;
  LocalPicker& operator=(const LocalPicker&) = delete;

  // Chooses the first candidates, as many as requested.
  [[nodiscard]] static Answer first_ones(const Asked& asked);
  // Chooses the last candidates, as many as requested.
  [[nodiscard]] static Answer last_ones(const Asked& asked);

  [[nodiscard]] std::uint16_t port() const { return server_->port(); }
  [[nodiscard]] std::string url(const std::string& path = "/") const;
  [[nodiscard]] std::vector<Asked> asked() const;

  [[nodiscard]] bool wants_body(const net::HttpRequest& head) override;
  void handle(std::shared_ptr<net::HttpExchange> exchange) override;

 private:
  struct Late {
    std::chrono::steady_clock::time_point due;
    std::shared_ptr<net::HttpExchange> exchange;
    Answer answer;
  };

  static void send(net::HttpExchange& exchange, Answer answer);
  void send_late_ones();

  Decide decide_;
  std::chrono::milliseconds takes_;
  mutable Mutex mutex_;
  ConditionVariable changed_;
  std::vector<Asked> asked_ EBB_GUARDED_BY(mutex_);
  // All answers have the same delay, so the first is due first.
  std::queue<Late> late_ EBB_GUARDED_BY(mutex_);
  bool stopping_ EBB_GUARDED_BY(mutex_) = false;
  std::unique_ptr<net::HttpServer> server_;
  std::thread sender_;
};

}  // namespace ebb::support
