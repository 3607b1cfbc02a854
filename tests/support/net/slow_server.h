// A picker that answers after a delay, for thousands of connections on one thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <thread>
#include <utility>

namespace ebb::support {

class SlowServer {
 public:
  SlowServer(std::chrono::milliseconds delay, std::string body);
  ~SlowServer();
  SlowServer(const SlowServer&) = delete;
  SlowServer& operator=(const SlowServer&) = delete;

  [[nodiscard]] std::uint16_t port() const { return port_; }
  // The maximum number of requests that waited at the same time.
  [[nodiscard]] std::size_t max_at_once() const { return max_at_once_; }

 private:
  using Clock = std::chrono::steady_clock;

  void run();
  void accept_all();
  // A request ends with its body; only the end is parsed.
  void read_from(int socket);
  void answer_due();

  std::chrono::milliseconds delay_;
  std::string answer_;
  int listener_ = -1;
  int epoll_ = -1;
  int stop_ = -1;
  std::uint16_t port_ = 0;
  std::set<int> sockets_;
  std::deque<std::pair<Clock::time_point, int>> waiting_;
  std::atomic<std::size_t> max_at_once_ = 0;
  std::thread thread_;
};

}  // namespace ebb::support
