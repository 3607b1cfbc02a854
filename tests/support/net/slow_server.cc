#include "support/net/slow_server.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ebb::support {

SlowServer::SlowServer(std::chrono::milliseconds delay, std::string body)
    : delay_(delay),
      answer_(fmt::format("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{}", body.size(), body)) {
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      listen(listener_, 16'384) != 0 ||
      getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    throw std::runtime_error("the slow server cannot listen");
  }
  port_ = ntohs(address.sin_port);
  epoll_ = epoll_create1(EPOLL_CLOEXEC);
  stop_ = eventfd(0, EFD_CLOEXEC);
  for (const int descriptor : {listener_, stop_}) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = descriptor;
    epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event);
  }
  thread_ = std::thread([this] { run(); });
}

SlowServer::~SlowServer() {
  const std::uint64_t once = 1;
  [[maybe_unused]] const ssize_t written = write(stop_, &once, sizeof once);
  thread_.join();
  for (const int descriptor : {listener_, stop_, epoll_}) close(descriptor);
  for (const int socket : sockets_) close(socket);
}

void SlowServer::run() {
  std::array<epoll_event, 512> events{};
  while (true) {
    int wait_ms = 1000;
    if (!waiting_.empty()) {
      const auto left = waiting_.front().first - Clock::now();
      wait_ms =
          static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(left).count() + 1);
    }
    const int count = epoll_wait(epoll_, events.data(), static_cast<int>(events.size()),
                                 std::clamp(wait_ms, 0, 1000));
    for (int i = 0; i < count; ++i) {
      const int descriptor = events[static_cast<std::size_t>(i)].data.fd;
      if (descriptor == stop_) return;
      if (descriptor == listener_) {
        accept_all();
      } else {
        read_from(descriptor);
      }
    }
    answer_due();
  }
}

void SlowServer::accept_all() {
  while (true) {
    const int socket = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (socket < 0) return;
    sockets_.insert(socket);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = socket;
    epoll_ctl(epoll_, EPOLL_CTL_ADD, socket, &event);
  }
}

void SlowServer::read_from(int socket) {
  std::array<char, 65'536> buffer{};
  const ssize_t count = recv(socket, buffer.data(), buffer.size(), 0);
  if (count <= 0) {
    sockets_.erase(socket);
    close(socket);
  } else if (buffer[static_cast<std::size_t>(count) - 1] == '}') {
    waiting_.emplace_back(Clock::now() + delay_, socket);
    max_at_once_ = std::max(max_at_once_.load(), waiting_.size());
  }
}

void SlowServer::answer_due() {
  while (!waiting_.empty() && waiting_.front().first <= Clock::now()) {
    // Clients that have disconnected are ignored, and an answer fits into a socket's buffer.
    [[maybe_unused]] const ssize_t sent =
        send(waiting_.front().second, answer_.data(), answer_.size(), MSG_NOSIGNAL);
    waiting_.pop_front();
  }
}

}  // namespace ebb::support
