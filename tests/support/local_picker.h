// A real picker on loopback: answers questions over HTTP by a function, after a while if need be,
// and remembers who asked what.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <queue>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "net/http_server.h"

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
  // Called from the threads of the server.
  using Decide = std::function<Answer(const Asked&)>;

  // Each answer is sent `takes` after its question came. What cannot be started is thrown.
  explicit LocalPicker(Decide decide, std::chrono::milliseconds takes = {});
  ~LocalPicker() override;
  LocalPicker(const LocalPicker&) = delete;
  LocalPicker& operator=(const LocalPicker&) = delete;

  // The first of the candidates are chosen, as many as are asked for.
  [[nodiscard]] static Answer first_ones(const Asked& asked);
  // And the last ones.
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
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Asked> asked_;
  std::queue<Late> late_;  // all take equally long, so the first is due first
  bool stopping_ = false;
  std::unique_ptr<net::HttpServer> server_;
  std::thread sender_;
};

}  // namespace ebb::support
